import { findCondition, type Condition, type Verdict } from '../conditions.ts'
import { core, machineLabels } from '../labels.ts'
import type { Cluster, InfraMachine, Machine } from '../machine.ts'
import { offeringInWords, type Offering } from '../offering.ts'
import type { RemediationReason } from '../reasons.ts'
import { hasEnded, type Failed, type Outcome } from './outcome.ts'
import type { Decision } from './remediation.ts'
import { timeInWords } from '../sentence.ts'

/** Our value of skip-remediation. */
const held = 'backing-off'
/** Our value of the annotation that excludes a Machine from draining. */
const notDrained = 'spot-instance-ended'
/** The value of the label remediation-due on managed Machines, which our health check removes. */
export const dueValues = { managed: '', unmanaged: 'unmanaged' } as const

/** The label, annotations and condition that a Machine is to have. Null: remove it. */
export interface Markers {
  readonly labels: Readonly<Record<string, string | null>>
  readonly annotations: Readonly<Record<string, string | null>>
  /** Undefined: no condition. */
  readonly condition: Verdict<RemediationReason> | undefined
}

export interface MarkerFacts {
  readonly machine: Machine
  readonly infra: InfraMachine | undefined
  readonly outcome: Outcome
  readonly decision: Decision
  /** Whether somebody else's health check selects it. */
  readonly isWatched: boolean
  /** Whether our health check removes it when it is due. */
  readonly isManaged: boolean
  readonly now: number
  /** The requested offering. Undefined before the first request. */
  readonly offering: Offering | undefined
}

/** Conditions of a Cluster. Core's health checks skip all its Machines unless these are True. */
export const examinedWhen: readonly string[] = ['InfrastructureReady', 'ControlPlaneInitialized']

/**
 * Whether they look now. They do not look again when that changes. A label set too early would be seen with the
 * Machine's next change, or after ten minutes. A Cluster without a controlPlaneRef has no control plane to wait for.
 */
export function isExamined(cluster: Cluster | undefined): boolean {
  const { spec, status } = cluster ?? {}
  return spec?.controlPlaneRef === undefined || examinedWhen.every((type) => isTrue(status?.conditions, type))
}

function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True'
}

/** A MachineSet controls it, and replaces it when it goes. */
export function isReplaceable({ metadata }: Machine): boolean {
  return metadata.ownerReferences?.some(({ kind, controller }) => kind === 'MachineSet' && controller === true) ?? false
}

/** Somebody else has excluded it from health checks. */
export function isSkipped({ metadata }: Machine): boolean {
  const value = metadata.annotations?.[core.skipRemediation]
  return value !== undefined && value !== held
}

export function markersOf(facts: MarkerFacts): Markers {
  const { machine, infra, decision, isManaged } = facts
  const dueValue = isManaged ? dueValues.managed : dueValues.unmanaged
  return {
    labels: { [machineLabels.remediationDue]: decision.do === 'replace' ? dueValue : null },
    annotations: {
      ...(isSkipped(machine) ? {} : { [core.skipRemediation]: mustBeHeld(facts) ? held : null }),
      ...exclusionsOf(machine, infra),
    },
    condition: conditionOf(facts),
  }
}

/**
 * A drain needs a kubelet to end pods, and the kubelet ends with its instance. So an ended instance is excluded from
 * draining. The exclusion is removed if the instance runs after all, because stale reads may have shown a young
 * instance as gone. An exclusion of somebody else stays.
 */
export function exclusionsOf({ metadata }: Machine, infra: InfraMachine | undefined): Record<string, string | null> {
  const isInVain = infra !== undefined && hasEnded(infra)
  const ours = [core.excludeNodeDraining, core.excludeVolumeDetach].filter(
    (key) => (metadata.annotations?.[key] ?? notDrained) === notDrained,
  )
  return Object.fromEntries(ours.map((key) => [key, isInVain ? notDrained : null]))
}

/**
 * Somebody else's health check would replace it at once, because its Node is missing. So it is held while it backs off,
 * and while it comes up, because we time its start.
 */
function mustBeHeld({ isWatched, machine, outcome, decision, now }: MarkerFacts): boolean {
  if (!isWatched || !isReplaceable(machine) || decision.do === 'replace') return false
  if (decision.do === 'wait') return true
  if (machine.status?.nodeRef) return false
  if (outcome.is === 'serving') return outcome.awaitsNode !== undefined
  const isComing = outcome.is === 'unknown' || outcome.is === 'underWay' || outcome.is === 'waiting'
  return isComing && now < outcome.patientUntil
}

function conditionOf({
  machine,
  outcome,
  decision,
  offering,
  now,
}: MarkerFacts): Verdict<RemediationReason> | undefined {
  if (outcome.is !== 'failed' && outcome.is !== 'over') return undefined
  const what = outcome.is === 'failed' ? subject(outcome, offering) : outcome.reason
  if (!isReplaceable(machine)) {
    const message = `${what}. No MachineSet owns this Machine, so it is not replaced: delete it and create another.`
    return { status: 'False', reason: 'StandAlone', message }
  }
  if (isSkipped(machine)) {
    const message = `${what}. Annotation ${core.skipRemediation} prevents the replacement: remove it to have the Machine replaced.`
    return { status: 'False', reason: 'RemediationSkipped', message }
  }
  if (decision.do === 'wait') {
    return { status: 'False', reason: 'BackingOff', message: `${what}; ${nextTry(decision, now)}` }
  }
  if (decision.do !== 'replace') return undefined
  return {
    status: 'True',
    reason: 'Due',
    message: `${what}. The Machine is deleted, and its MachineSet creates another.`,
  }
}

function nextTry(wait: Decision & { do: 'wait' }, now: number): string {
  const at = (ms: number) => `${timeInWords(ms, now)} UTC`
  if ('openSince' in wait) return `a retry succeeded at ${at(wait.openSince)}, and the others follow step by step.`
  if ('triedSince' in wait)
    return `another Machine has been retrying since ${at(wait.triedSince)}, attempt ${wait.attempt}.`
  return `next try ${at(wait.until)}, attempt ${wait.attempt}.`
}

/** `InsufficientCapacity: m5.large spot in us-east-1a` */
function subject({ reason }: Failed, offering: Offering | undefined): string {
  return offering ? `${reason}: ${offeringInWords(offering)}` : reason
}
