/** An announcement about an instance that still runs, by its cloud, or in its place by the manager or a user. */
export const noticeKinds = ['Spot', 'CapacityEnding', 'Rebalance', 'Maintenance', 'Lifetime', 'Rehearsal'] as const

/**
 * - Spot: the cloud takes the instance back.
 * - CapacityEnding: the reservation or capacity block that it runs in ends.
 * - Rebalance: the instance has a higher risk to be taken back.
 * - Maintenance: the host is restarted, moved or retired.
 * - Lifetime: the instance reaches its longest life, of the cloud or of the policy.
 * - Rehearsal: a user asks for a fire drill.
 */
export type NoticeKind = (typeof noticeKinds)[number]

/** Nobody ends the instance now. So its Machine waits for its turn, and serves until another one is available. */
export function isPlanned(kind: NoticeKind): boolean {
  return kind === 'Rebalance' || kind === 'Maintenance' || kind === 'Lifetime'
}

/** Where a notice was read. Clock: nowhere, because the age of the instance is enough. */
export const noticeSources = ['SpotRequests', 'Queue', 'Status', 'Node', 'Agent', 'Annotation', 'Clock'] as const

export type NoticeSource = (typeof noticeSources)[number]

/** The announcement that an instance will end or suffer. It says nothing about the instance's present state. */
export interface Notice {
  /** The cloud's id of the instance: `Instance.id`. */
  readonly instance: string
  readonly kind: NoticeKind
  /** When it was given, by the clock of its source. Where the source does not say it: when it was read. */
  readonly at: number
  /** The earliest time at which the instance ends. Undefined: nobody has said. */
  readonly deadline?: number
  readonly source: NoticeSource
}
