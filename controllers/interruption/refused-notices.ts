import type { Ctx } from '../../api/ctx.ts'
import type { NoticeResult } from '../../api/rules/interruption/announced.ts'
import type { CloudName } from '../../api/scope.ts'
import type { CountedNotice, InterruptionSeries } from '../shared/interruption-series.ts'
import { MinuteLine } from '../shared/minute-line.ts'

/** Counts notices that have no effect. A line tells their numbers, at most once a minute, and nothing of their text. */
export class RefusedNotices {
  readonly #series: Pick<InterruptionSeries, 'notice'>
  readonly #line: MinuteLine

  constructor(series: Pick<InterruptionSeries, 'notice'>, ctx: Ctx) {
    this.#series = series
    this.#line = new MinuteLine((counts) => ctx.log.info('Notices without an effect', { counts }), ctx)
  }

  add(cloud: CloudName, notice: CountedNotice, result: NoticeResult): void {
    this.#series.notice(cloud, notice, result)
    this.#line.add(`${cloud} ${notice.source} ${result}`)
  }
}
