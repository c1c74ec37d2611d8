import { readAttempt, type Attempt, type KeptRefusal } from '../../api/attempt.ts'
import { findCondition, timeOf } from '../../api/conditions.ts'
import type { CapacityPoolSpec } from '../../api/generated/capacity-pool.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { offeringKey, parseOfferingKey, type Offering } from '../../api/offering.ts'
import { refusals } from '../../api/refusal.ts'
import type { BackoffTerms } from '../../api/rules/backoff-group.ts'
import { offeringOf } from '../../api/rules/capacity/chosen.ts'
import { closingReasons, type ClosingReason, type Sighting } from '../../api/rules/capacity/pool-view.ts'
import { decidedFor } from '../../api/rules/interruption/in-words.ts'
import { isOfNode } from '../../api/rules/interruption/node-notice.ts'
import type { Outcome } from '../../api/rules/outcome.ts'
import { scopeKey, type Scope } from '../../api/scope.ts'
import { askedOf, closedBy } from './group-names.ts'
import { poolSpecOf } from './pool-names.ts'
import { endShown } from './taken-back.ts'

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
  /** Of its attempt: one token has at most one instance. Undefined: an attempt before it, which had none. */
  readonly token: string | undefined
  readonly sighting: Sighting
  /** Those backoff groups that its failure closes, of which the offering does not tell the names. */
  readonly groups: readonly string[]
}

/** What it shows of the offering of its attempt, and of those that refused it before. */
export function sightingsOf(looked: Looked): PoolSighting[] {
  const reading = looked.infra && readAttempt(looked.infra)
  if (reading?.is !== 'ours') return []
  const { attempt } = reading
  const { startedAt, handle } = attempt
  const failed = isConstrained(looked, attempt) ? undefined : refusalOf(looked, attempt)
  const now = { ...failed?.told, ...runsSince(looked, startedAt), ...takenBackAt(looked, handle) }
  const before = { scope: attempt.scope, token: undefined }
  return [
    ...sightingIn({ ...attempt, groups: failed?.groups ?? [] }, offeringOf(attempt), now),
    ...(isConstrained(looked, attempt) ? [] : (attempt.tried ?? [])).flatMap((tried) => {
      const offering = parseOfferingKey(tried.offering)
      const groups = groupsClosed(looked, { ...tried, scope: attempt.scope, offering })
      return sightingIn({ ...before, groups }, offering, told(tried, looked.terms))
    }),
  ]
}

function sightingIn(
  { scope, token, groups }: Pick<PoolSighting, 'scope' | 'token' | 'groups'>,
  offering: Offering | undefined,
  sighting: Sighting,
): PoolSighting[] {
  const spec = offering && poolSpecOf(scope, offering)
  return spec && Object.keys(sighting).length > 0 ? [{ scope, offering, spec, token, sighting, groups }] : []
}

interface Closed extends Pick<KeptRefusal, 'kind' | 'code'> {
  readonly scope: Scope
  readonly offering: Offering | undefined
}

/** By a quota or a price, which depend on the machine. */
function groupsClosed({ infra }: Looked, { scope, offering, kind, code }: Closed): readonly string[] {
  if (!offering || (kind !== 'quota' && kind !== 'price')) return []
  return closedBy(askedOf({ scope, offering, infra }), { kind, code }, scope.cloud)
}

/** A refusal under constraints, such as a placement group, says nothing about requests without them. */
function isConstrained({ infra }: Looked, attempt: Attempt): boolean {
  const offering = offeringOf(attempt)
  return offering !== undefined && askedOf({ scope: attempt.scope, offering, infra }).constraints !== ''
}

interface Failure {
  readonly groups: readonly string[]
  readonly told: Sighting
}

/** A machine that goes on with another offering was refused all the same. */
function refusalOf(looked: Looked, attempt: Attempt): Failure | undefined {
  const { outcome, terms } = looked
  if (outcome.is === 'failed' && isClosing(outcome.reason)) {
    const { group, at, reason } = outcome
    return { groups: [group], told: { refused: { at, reason: reason as ClosingReason, terms } } }
  }
  const { refused, scope } = attempt
  if (!refused) return undefined
  return {
    groups: groupsClosed(looked, { ...refused, scope, offering: offeringOf(attempt) }),
    told: told(refused, terms),
  }
}

function told({ kind, at: text }: Pick<KeptRefusal, 'kind' | 'at'>, terms: BackoffTerms): Sighting {
  const [reason, at] = [refusals[kind].failsWith, timeOf(text)]
  return at === undefined || !isClosing(reason) ? {} : { refused: { at, reason: reason as ClosingReason, terms } }
}

function isClosing(reason: string): boolean {
  return closingReasons.some((one) => one === reason)
}

function runsSince({ infra }: Looked, startedAt: string): Pick<Sighting, 'served'> {
  const ready = findCondition(infra?.status?.conditions, 'Ready')
  const at = ready?.status === 'True' ? timeOf(ready.lastTransitionTime) : undefined
  return at === undefined ? {} : { served: { requestedAt: Math.min(at, timeOf(startedAt) ?? at), at } }
}

type TakenBack = Pick<Sighting, 'interruptedAt' | 'isOfNode'>

/** Announced or done: mostly its Machine is deleted before the end comes. */
function takenBackAt({ machine, infra }: Looked, instance: string | undefined): TakenBack {
  const decided = decidedFor(machine, instance)
  const shownAt = timeOf(endShown(infra)?.lastTransitionTime)
  const announcedAt = decided?.kind === 'Spot' ? timeOf(decided.at) : undefined
  const interruptedAt = announcedAt ?? shownAt
  if (interruptedAt === undefined) return {}
  return { interruptedAt, ...(shownAt === undefined && decided && isOfNode(decided) ? { isOfNode: true } : {}) }
}

/** The backoff group of an offering in the memory. */
export function poolGroup(scope: Scope, offering: Offering): string {
  return `pool ${scopeKey(scope)} ${offeringKey(offering)}`
}
