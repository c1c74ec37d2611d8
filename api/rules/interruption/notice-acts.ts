import type { DrainTime, HeldPods, InterruptionAct } from '../../interruption.ts'
import type { NoticeKind } from '../../notice.ts'

/** What a policy says about notices. */
export interface NoticeTerms {
  /** For an instance that ends, and for a rehearsal of that. */
  readonly onNotice: 'DeleteMachine' | 'Remediate' | 'ConditionOnly'
  /** For an instance that may be taken back, or that suffers. */
  readonly onRebalance: 'Ignore' | 'ConditionOnly' | 'Cordon' | 'Replace'
  readonly replacement: 'Ahead' | 'Afterwards'
  readonly drain: DrainTime
  readonly heldPods: HeldPods
  /** The most Machines of an owner that have a replacement beside them. Undefined: no limit. */
  readonly maxAhead: number | undefined
  /** An instance that ran for less than this counts as a failure of its offering. */
  readonly minHealthyMs: number
}

const onNotice = { DeleteMachine: 'Delete', Remediate: 'Remediate', ConditionOnly: 'Tell' } as const
const onRebalance = { Ignore: undefined, ConditionOnly: 'Tell', Cordon: 'Cordon', Replace: 'Delete' } as const

/** The one table of kinds. Undefined: the notice is only counted. */
const acts: Readonly<Record<NoticeKind, (terms: NoticeTerms) => InterruptionAct | undefined>> = {
  Spot: (terms) => onNotice[terms.onNotice],
  CapacityEnding: (terms) => onNotice[terms.onNotice],
  Rehearsal: (terms) => onNotice[terms.onNotice],
  Rebalance: (terms) => onRebalance[terms.onRebalance],
  Maintenance: (terms) => onRebalance[terms.onRebalance],
  Lifetime: () => 'Delete',
}

export function actFor(kind: NoticeKind, terms: NoticeTerms): InterruptionAct | undefined {
  return acts[kind](terms)
}
