import { readAttempt } from '../../api/attempt.ts'
import { findCondition, timeOf } from '../../api/conditions.ts'
import type { CapacityPoolSpec } from '../../api/generated/capacity-pool.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { offeringKey, parseOfferingKey, type Offering } from '../../api/offering.ts'
import type { BackoffTerms } from '../../api/rules/backoff-group.ts'
import { closingReasons, type ClosingReason, type Sighting } from '../../api/rules/capacity/pool-view.ts'
import { decidedFor } from '../../api/rules/interruption/in-words.ts'
import type { Outcome } from '../../api/rules/outcome.ts'
import { scopeKey, type Scope } from '../../api/scope.ts'
import { poolSpecOf } from './pool-names.ts'

/** A Machine, as a pass of the remediation sees it. */
export interface Looked {
  readonly machine: Machine
  readonly infra: InfraMachine | undefined
  readonly outcome: Outcome
  readonly terms: BackoffTerms
}

/** What one Machine shows of one offering. */
export interface PoolSighting {
  readonly scope: Scope
  readonly offering: Offering
  readonly spec: CapacityPoolSpec
  /** Of its attempt: one token has at most one instance. */
  readonly token: string
  readonly sighting: Sighting
  /** The backoff group that its failure closes. */
  readonly group?: string
}

/** Undefined: it shows nothing of an offering yet. */
export function sightingOf(looked: Looked): PoolSighting | undefined {
  const reading = looked.infra && readAttempt(looked.infra)
  if (reading?.is !== 'ours') return undefined
  const { scope, token, startedAt, handle, offering: key } = reading.attempt
  const offering = key === undefined ? undefined : parseOfferingKey(key)
  const spec = offering && poolSpecOf(scope, offering)
  const failed = refusalOf(looked)
  const sighting: Sighting = { ...failed?.told, ...runsSince(looked, startedAt), ...takenBackAt(looked, handle) }
  if (!spec || Object.keys(sighting).length === 0) return undefined
  return { scope, offering, spec, token, sighting, ...(failed ? { group: failed.group } : {}) }
}

function refusalOf({ outcome, terms }: Looked): { group: string; told: Pick<Sighting, 'refused'> } | undefined {
  if (outcome.is !== 'failed' || !isClosing(outcome.reason)) return undefined
  const { group, at, reason } = outcome
  return { group, told: { refused: { at, reason: reason as ClosingReason, terms } } }
}

function isClosing(reason: string): boolean {
  return closingReasons.some((one) => one === reason)
}

function runsSince({ infra }: Looked, startedAt: string): Pick<Sighting, 'served'> {
  const ready = findCondition(infra?.status?.conditions, 'Ready')
  const at = ready?.status === 'True' ? timeOf(ready.lastTransitionTime) : undefined
  return at === undefined ? {} : { served: { requestedAt: Math.min(at, timeOf(startedAt) ?? at), at } }
}

/** Announced or done: mostly its Machine is deleted before the end comes. */
function takenBackAt({ machine, infra }: Looked, instance: string | undefined): Pick<Sighting, 'interruptedAt'> {
  const decided = decidedFor(machine, instance)
  const ready = findCondition(infra?.status?.conditions, 'Ready')
  const isOver = ready?.status === 'False' && ready.reason === 'Interrupted'
  const announcedAt = decided?.kind === 'Spot' ? timeOf(decided.at) : undefined
  const interruptedAt = announcedAt ?? (isOver ? timeOf(ready.lastTransitionTime) : undefined)
  return interruptedAt === undefined ? {} : { interruptedAt }
}

/** The backoff group of an offering in the memory. */
export function poolGroup(scope: Scope, offering: Offering): string {
  return `pool ${scopeKey(scope)} ${offeringKey(offering)}`
}
