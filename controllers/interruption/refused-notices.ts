import type { Ctx } from '../../api/ctx.ts'
import type { NoticeResult } from '../../api/rules/interruption/announced.ts'
import type { CloudName } from '../../api/scope.ts'
import type { CountedNotice, InterruptionSeries } from '../shared/interruption-series.ts'

const everyMs = 60_000

/** Counts messages that have no effect. A line tells their numbers, at most once a minute. */
export class RefusedNotices {
  readonly #series: Pick<InterruptionSeries, 'notice'>
  readonly #ctx: Pick<Ctx, 'clock' | 'log'>
  #told = Number.NEGATIVE_INFINITY
  #untold: Partial<Record<NoticeResult, number>> = {}

  constructor(series: Pick<InterruptionSeries, 'notice'>, ctx: Pick<Ctx, 'clock' | 'log'>) {
    this.#series = series
    this.#ctx = ctx
  }

  add(cloud: CloudName, notice: CountedNotice, result: NoticeResult): void {
    this.#series.notice(cloud, notice, result)
    this.#untold[result] = (this.#untold[result] ?? 0) + 1
    const now = this.#ctx.clock.monotonic()
    if (now - this.#told < everyMs) return
    this.#ctx.log.info('Notices without an effect', { cloud, source: notice.source, ...this.#untold })
    this.#told = now
    this.#untold = {}
  }
}
