import type { Ctx } from '../../../api/ctx.ts'
import { mostAtOnce, type Sqs } from '../wire/sqs.ts'

/** Messages that come together share one call. */
const gatherMs = 50
/** As many as there are receivers. All that live during a flood stay in memory until V8 collects its old generation. */
const mostCalls = 8

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
    this.#goOn()
  }

  /** Resolves when no call is under way. What waits still is not deleted. */
  async settled(): Promise<void> {
    this.#receipts = []
    this.#cancel?.()
    await Promise.all(this.#underWay)
  }

  #goOn(): void {
    if (this.#receipts.length >= mostAtOnce) this.#flush()
    else if (this.#receipts.length > 0) this.#cancel ??= this.#ctx.clock.after(gatherMs, () => this.#flush())
  }

  #flush(): void {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#underWay.size >= mostCalls) return
    const receipts = this.#receipts.splice(0, mostAtOnce)
    const call = this.#delete(receipts).finally(() => {
      this.#underWay.delete(call)
      this.#goOn()
    })
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
