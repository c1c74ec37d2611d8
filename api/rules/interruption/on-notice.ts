import { rfc3339 } from '../../conditions.ts'
import type { Interruption, InterruptionAct } from '../../interruption.ts'
import { core } from '../../labels.ts'
import type { Cluster, Machine } from '../../machine.ts'
import { isPlanned, type Notice } from '../../notice.ts'
import { actFor, type NoticeTerms } from './notice-acts.ts'
import { raised } from './second-notice.ts'
import { waitsUntil, type AheadNow } from './turn.ts'

/** Who makes the replacement, as the caches show it. */
export interface MachineSetNow {
  readonly name: string
  /** The revision of the MachineDeployment that owns it; undefined without one. */
  readonly revision: string | undefined
  /** Its template is the present one, or it has no MachineDeployment. */
  readonly isCurrent: boolean
}

/** What is known of the Machine when it is decided. */
export interface DecisionFacts {
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
  readonly ahead: AheadNow
  /** See `TurnFacts`. */
  readonly shutUntil: number | undefined
  readonly now: number
}

export interface NoticeFacts extends DecisionFacts {
  readonly notice: Notice
}

/** A notice whose deadline passed longer ago begins nothing: the list shows what became of the instance. */
const lateByMs = 60_000

/**
 * The decision about a notice. Of a second notice about the same instance only an earlier deadline and a stronger act
 * count: all else was decided before. Undefined: nothing is written.
 */
export function onNotice(facts: NoticeFacts): Interruption | undefined {
  const { notice, terms, now, before } = facts
  const { deadline, kind } = notice
  const asked = actFor(kind, terms)
  const isLate = deadline !== undefined && now - deadline > lateByMs
  if (asked === undefined || isLate || (isPlanned(kind) && isLeaving(facts))) return undefined
  const first = firstDecision(asked, facts)
  return before ? raised(before, first) : first
}

/** When a planned replacement looks again whether its turn has come. Undefined: it has come. */
export function looksAgainAt(facts: DecisionFacts): number | undefined {
  const { ahead, runningSince, terms, shutUntil, now } = facts
  const { maxAhead, minHealthyMs } = terms
  const isReplaceable = mayBeAhead(facts)
  return waitsUntil({ ahead, maxAhead, isReplaceable, runningSince, minHealthyMs, shutUntil, now })
}

function firstDecision(asked: InterruptionAct, facts: NoticeFacts): Interruption {
  const { notice, key, machineSet, now } = facts
  const { instance, kind, source, deadline } = notice
  return {
    for: key,
    instance,
    kind,
    source,
    at: rfc3339(now),
    deadline: deadline === undefined ? undefined : rfc3339(deadline),
    machineSet: machineSet?.name,
    revision: machineSet?.revision,
    ...(isPlanned(kind) ? planned(asked, facts) : announced(asked, facts)),
  }
}

type Consequence = Pick<Interruption, 'act' | 'because' | 'isWaiting' | 'isAhead' | 'drain' | 'heldPods'>

/** The instance ends. Nobody waits for anybody. */
function announced(asked: InterruptionAct, facts: NoticeFacts): Consequence {
  const { terms, ahead } = facts
  const { act, because } = judged(asked, facts)
  const hasRoom = ahead.count < (terms.maxAhead ?? Infinity)
  const isAhead = act === 'Delete' && terms.replacement === 'Ahead' && hasRoom && mayBeAhead(facts)
  return { act, because, isAhead, drain: isAhead ? terms.drain : 'AtOnce', heldPods: terms.heldPods }
}

const untilItsTurn =
  'It is replaced when its turn comes: one at a time, not before minHealthySeconds, and not while its offering is in a pause.'

/** Nobody ends the instance now, so it serves until another one is available. */
function planned(asked: InterruptionAct, facts: NoticeFacts): Consequence {
  const { act, because } = judged(asked, facts)
  const heldPods = 'Keep'
  // A cordon would take capacity away, and nothing would replace that.
  if (act !== 'Delete')
    return { act: asked === 'Delete' ? 'Tell' : act, because, isAhead: false, drain: 'AtOnce', heldPods }
  const hasBegun = facts.before?.act === 'Delete'
  if (hasBegun || looksAgainAt(facts) === undefined) return { act, isAhead: true, drain: 'WhenReplaced', heldPods }
  return { act: 'Tell', because: untilItsTurn, isWaiting: true, isAhead: false, drain: 'AtOnce', heldPods }
}

/** It is being deleted, and not because of a notice. */
function isLeaving({ machine, before }: NoticeFacts): boolean {
  return machine.metadata.deletionTimestamp !== undefined && before?.act !== 'Delete'
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

/**
 * A pool that takes back what it has just given must not be asked again without a pause. A planned replacement waits
 * instead.
 */
function isYoung({ notice: { kind }, runningSince, terms, now }: NoticeFacts): boolean {
  if (kind === 'Rehearsal' || isPlanned(kind)) return false
  return runningSince === undefined || now - runningSince < terms.minHealthyMs
}

/** An old template would make another Machine that is replaced at once. */
function mayBeAhead({ machine, machineSet }: DecisionFacts): boolean {
  return machineSet?.isCurrent === true && machine.metadata.annotations?.[core.inPlaceUpdate] === undefined
}
