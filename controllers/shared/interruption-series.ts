import type { InfraMachine } from '../../api/machine.ts'
import type { NoticeKind, NoticeSource } from '../../api/notice.ts'
import type { NoticeResult } from '../../api/rules/interruption/announced.ts'
import type { Milestone } from '../../api/rules/interruption/milestones.ts'
import type { CloudName } from '../../api/scope.ts'

export interface CountedNotice {
  readonly source: NoticeSource
  /** None: no notice could be read. */
  readonly kind: NoticeKind | 'None'
}

/** Tells what comes of notices. */
export interface InterruptionSeries {
  readonly notice: (cloud: CloudName, notice: CountedNotice, result: NoticeResult) => void
  /** The end of its instance was announced, for the first time. */
  readonly announced: (infra: InfraMachine) => void
  readonly passed: (milestone: Milestone, seconds: number) => void
  /** A message of a queue was received, so long after it was sent. */
  readonly queueAge: (cloud: CloudName, region: string, seconds: number) => void
}
