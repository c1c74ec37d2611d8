import type { Ctx } from '../../../api/ctx.ts'
import { mostAtOnce, type Sqs } from '../wire/sqs.ts'

/** Messages that come together share one call. */
const gatherMs = 50

/**
 * Deletes messages from the queue. What is not deleted comes again after its visibility timeout, is decided already,
 * and is deleted then. So nothing is repeated here.
 */
export class Acknowledgements {
  readonly #sqs: Pick<Sqs, 'delete'>
  readonly #ctx: Ctx
  #receipts: string[] = []
  #cancel: (() => void) | undefined
  readonly #underWay = new Set<Promise<void>>()

  constructor(sqs: Pick<Sqs, 'delete'>, ctx: Ctx) {
    this.#sqs = sqs
    this.#ctx = ctx
  }

  add(receipt: string): void {
    this.#receipts.push(receipt)
    if (this.#receipts.length >= mostAtOnce) this.#flush()
    else this.#cancel ??= this.#ctx.clock.after(gatherMs, () => this.#flush())
  }

  /** Resolves when no call is under way. */
  async settled(): Promise<void> {
    this.#cancel?.()
    await Promise.all(this.#underWay)
  }

  #flush(): void {
    this.#cancel?.()
    this.#cancel = undefined
    const receipts = this.#receipts
    this.#receipts = []
    const call = this.#delete(receipts).finally(() => this.#underWay.delete(call))
    this.#underWay.add(call)
  }

  async #delete(receipts: readonly string[]): Promise<void> {
    const { log } = this.#ctx
    try {
      const failed = await this.#sqs.delete(receipts, this.#ctx)
      if (failed.length > 0) log.debug('Messages were not deleted', { codes: failed.map(({ Code }) => Code) })
    } catch (error) {
      if (!this.#ctx.signal.aborted) log.debug('Messages were not deleted', { error })
    }
  }
}
