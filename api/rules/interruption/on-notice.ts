import { rfc3339 } from '../../conditions.ts'
import type { DrainTime, HeldPods, Interruption, InterruptionAct } from '../../interruption.ts'
import { core } from '../../labels.ts'
import type { Cluster, Machine } from '../../machine.ts'
import type { Notice, NoticeKind } from '../../notice.ts'

/** What a policy says about notices. */
export interface NoticeTerms {
  /** For an instance that ends, and for a rehearsal of that. */
  readonly onNotice: 'DeleteMachine' | 'Remediate' | 'ConditionOnly'
  /** For an instance that may be taken back, or that suffers. */
  readonly onRebalance: 'Ignore' | 'ConditionOnly' | 'Cordon'
  readonly replacement: 'Ahead' | 'Afterwards'
  readonly drain: DrainTime
  readonly heldPods: HeldPods
  /** An instance that ran for less than this counts as a failure of its offering. */
  readonly minHealthyMs: number
}

/** Who makes the replacement, as the caches show it. */
export interface MachineSetNow {
  readonly name: string
  /** The revision of the MachineDeployment that owns it; undefined without one. */
  readonly revision: string | undefined
  /** Its template is the present one, or it has no MachineDeployment. */
  readonly isCurrent: boolean
}

export interface NoticeFacts {
  readonly notice: Notice
  /** `namespace/name` of the Machine. */
  readonly key: string
  readonly machine: Machine
  readonly cluster: Cluster | undefined
  /** The MachineSet that controls the Machine and exists. */
  readonly machineSet: MachineSetNow | undefined
  /** Since when the instance runs. Undefined: it has not run yet. */
  readonly runningSince: number | undefined
  readonly terms: NoticeTerms
  /** What was decided about this instance before. */
  readonly before: Interruption | undefined
  readonly now: number
}

/** A notice whose deadline passed longer ago begins nothing: the list shows what became of the instance. */
const lateByMs = 60_000

/**
 * The decision about a notice. Of a second notice about the same instance only an earlier deadline and a stronger act
 * count: all else was decided before. Undefined: nothing is written.
 */
export function onNotice(facts: NoticeFacts): Interruption | undefined {
  const { notice, terms, now, before } = facts
  const { deadline } = notice
  const asked = actFor(notice.kind, terms)
  const isLate = deadline !== undefined && now - deadline > lateByMs
  if (asked === undefined || isLate) return undefined
  const first = firstDecision(asked, facts)
  return before ? raised(before, first) : first
}

function firstDecision(asked: InterruptionAct, facts: NoticeFacts): Interruption {
  const { notice, key, machineSet, terms, now } = facts
  const { instance, kind, source, deadline } = notice
  const { act, because } = judged(asked, facts)
  const isAhead = act === 'Delete' && terms.replacement === 'Ahead' && mayBeAhead(facts)
  return {
    for: key,
    instance,
    kind,
    source,
    at: rfc3339(now),
    deadline: deadline === undefined ? undefined : rfc3339(deadline),
    act,
    because,
    machineSet: machineSet?.name,
    revision: machineSet?.revision,
    isAhead,
    drain: isAhead ? terms.drain : 'AtOnce',
    heldPods: terms.heldPods,
  }
}

/** The weakest first. Of the last two neither raises the other. */
const strength: Readonly<Record<InterruptionAct, number>> = { Tell: 0, Cordon: 1, Remediate: 2, Delete: 2 }

function raised(before: Interruption, after: Interruption): Interruption | undefined {
  const { deadline, kind, source } = after
  const isEarlier = deadline !== undefined && isMuchEarlier(deadline, before.deadline, after.at)
  // A deadline that has passed did not come true.
  const stands = isEarlier || before.deadline === undefined || before.deadline < after.at ? deadline : before.deadline
  if (strength[after.act] > strength[before.act]) return { ...after, deadline: stands }
  const isAsStrong = strength[after.act] === strength[before.act]
  return isEarlier && isAsStrong ? { ...before, deadline, kind, source } : undefined
}

/** By a tenth of what is left, so that a source that moves its deadline by seconds leads to few writes. */
const muchEarlier = 0.1

function isMuchEarlier(deadline: string, before: string | undefined, now: string): boolean {
  if (before === undefined) return true
  const left = Math.max(0, Date.parse(before) - Date.parse(now))
  return deadline < before && Date.parse(before) - Date.parse(deadline) >= muchEarlier * left
}

function judged(asked: InterruptionAct, facts: NoticeFacts): Pick<Interruption, 'act' | 'because'> {
  if (asked === 'Tell' || asked === 'Cordon') return { act: asked }
  if (facts.machine.metadata.labels?.[core.controlPlane] !== undefined) {
    return { act: 'Tell', because: 'It is a control plane Machine, which its control plane replaces.' }
  }
  const because = whyNotDeleted(facts)
  if (because !== undefined) return { act: 'Cordon', because }
  return { act: asked === 'Delete' && isYoung(facts) ? 'Remediate' : asked }
}

const actsOnNotice = { DeleteMachine: 'Delete', Remediate: 'Remediate', ConditionOnly: 'Tell' } as const
const actsOnRebalance = { Ignore: undefined, ConditionOnly: 'Tell', Cordon: 'Cordon' } as const

/** The one table of kinds. Undefined: the notice is only counted. */
const actOf: Readonly<Record<NoticeKind, (terms: NoticeTerms) => InterruptionAct | undefined>> = {
  Spot: ({ onNotice: asked }) => actsOnNotice[asked],
  CapacityEnding: ({ onNotice: asked }) => actsOnNotice[asked],
  Rehearsal: ({ onNotice: asked }) => actsOnNotice[asked],
  Rebalance: ({ onRebalance: asked }) => actsOnRebalance[asked],
  Maintenance: ({ onRebalance: asked }) => actsOnRebalance[asked],
  Lifetime: ({ onRebalance: asked }) => actsOnRebalance[asked],
}

export function actFor(kind: NoticeKind, terms: NoticeTerms): InterruptionAct | undefined {
  return actOf[kind](terms)
}

/** A sentence, or undefined if the Machine may be deleted. */
function whyNotDeleted({ machine, cluster, machineSet }: NoticeFacts): string | undefined {
  if (!machineSet) return 'No MachineSet controls the Machine, so nobody would replace it.'
  if (machine.metadata.deletionTimestamp !== undefined || !machine.status?.nodeRef) return undefined
  return drains(cluster) ? undefined : 'Cluster API would not drain the Node of this Cluster.'
}

/** Core drains only for a control plane that it knows and that is not being deleted. */
function drains(cluster: Cluster | undefined): boolean {
  return cluster?.spec.controlPlaneRef !== undefined && cluster.metadata.deletionTimestamp === undefined
}

/** A pool that takes back what it has just given must not be asked again without a pause. */
function isYoung({ notice: { kind }, runningSince, terms, now }: NoticeFacts): boolean {
  if (kind === 'Rehearsal') return false
  return runningSince === undefined || now - runningSince < terms.minHealthyMs
}

/** An old template would make another Machine that is replaced at once. */
function mayBeAhead({ machine, machineSet }: NoticeFacts): boolean {
  return machineSet?.isCurrent === true && machine.metadata.annotations?.[core.inPlaceUpdate] === undefined
}
