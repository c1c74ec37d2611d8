import { findCondition, setCondition, type Condition } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { Deadline } from '../../api/deadline.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'
import { asCondition, conditionTypes, type Announcement, type ConditionType } from './announcement.ts'
import { oneMore, retryMs, type Failures } from './retry.ts'

/** Another process may have replaced the Node in the meantime. An apply that changes nothing costs no write. */
const againMs = 5 * 60_000

type Write = (conditions: readonly Condition[], ctx: Ctx) => Promise<void>

/** Keeps what is announced, and writes it to the Node until it stands there. */
export class Reporter {
  readonly #write: Write
  #wanted: readonly Condition[] = []
  #written: readonly Condition[] | undefined
  /** Settled at each change and after each write. */
  #news = Promise.withResolvers<void>()

  constructor(write: Write) {
    this.#write = write
  }

  /**
   * What the Node says now. A notice that an earlier process has written stands until the metadata has said otherwise.
   * Only the shutdown is over: this process runs.
   */
  begin(onNode: readonly Condition[], now: number): void {
    this.#wanted = conditionTypes.reduce<readonly Condition[]>(
      (list, type) => {
        const stands = type !== 'NodeShutdown' && findCondition(list, type)?.status === 'True'
        return stands ? list : setCondition(list, asCondition(type, undefined), now)
      },
      onNode.filter(({ type }) => conditionTypes.some((own) => own === type)).map(withoutHeartbeat),
    )
  }

  say(type: ConditionType, announced: Announcement | undefined, { clock, log }: Pick<Ctx, 'clock' | 'log'>): void {
    const before = this.#wanted
    this.#wanted = setCondition(before, asCondition(type, announced), clock.now())
    if (this.#wanted === before) return
    log.info('Reporting', { type, status: announced ? 'True' : 'False', ...announced })
    this.#tell()
  }

  /** Writes until the signal fires. */
  async run(ctx: Ctx): Promise<never> {
    for (let failures: Failures | undefined; ;) {
      const wanted = this.#wanted
      try {
        await this.#write(wanted, ctx)
        failures = undefined
        this.#written = wanted
        this.#tell()
        await this.#changed(wanted, againMs, ctx)
      } catch (error) {
        ctx.signal.throwIfAborted()
        if (!failures) ctx.log.warn('The conditions could not be written', { error: String(error) })
        failures = oneMore(failures, error)
        await this.#changed(wanted, retryMs(failures), ctx)
      }
    }
  }

  /** Resolves when all that was said stands on the Node. */
  async written(signal: AbortSignal): Promise<void> {
    while (this.#written !== this.#wanted) await unlessAborted(this.#news.promise, signal)
  }

  /** Resolves when something else is wanted, and after the time at the latest. */
  async #changed(from: readonly Condition[], ms: number, ctx: Ctx): Promise<void> {
    using deadline = new Deadline(ms, () => new Error('The time is over.'), ctx)
    while (this.#wanted === from) {
      try {
        await unlessAborted(this.#news.promise, deadline.signal)
      } catch (error) {
        if (deadline.isOver) return
        throw error
      }
    }
  }

  #tell(): void {
    const { resolve } = this.#news
    this.#news = Promise.withResolvers()
    resolve()
  }
}

/** A Node's condition may have one. The agent writes none, because nobody would read it. */
function withoutHeartbeat({ type, status, reason, message, lastTransitionTime }: Condition): Condition {
  return { type, status, reason, message, lastTransitionTime }
}
