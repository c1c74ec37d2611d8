import { refusedAt, type KeptRefusal } from '../../../api/attempt.ts'
import { offeringOf } from '../../../api/rules/capacity/chosen.ts'
import { findCondition, timeOf } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { core } from '../../../api/labels.ts'
import type { Offering } from '../../../api/offering.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { allClosedVerdict, heldVerdict } from '../../../api/rules/capacity/patience.ts'
import { heldBack } from '../../../providers/errors.ts'
import type { RefuseIf } from '../../../providers/instances.ts'
import type { Asking } from '../../capacity/claims.ts'
import { askedOf, closedBy } from '../../capacity/group-names.ts'
import type { Held } from '../../capacity/launches.ts'
import { ApiError, isDefinite } from '../../runtime/client/api-error.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { keyOf } from '../../runtime/client/resource.ts'
import type { Pass } from '../pass.ts'

/** What a machine with this plan asks for. Undefined: nothing holds it back. */
export function askingOf(pass: Pass, offering: Offering): Asking | undefined {
  const { machine, cluster, infra, key, deps, attempt, home } = pass
  const scope = attempt?.scope ?? home
  // The remediation gives control planes no turns, so they wait for none.
  if (!machine || !cluster || !scope || machine.metadata.labels?.[core.controlPlane] !== undefined) return undefined
  const wake = () => deps.requeue(key)
  return { key: keyOf(machine), machine, cluster: keyOf(cluster), asked: askedOf({ scope, offering, infra }), wake }
}

/** A machine that waits looks for its turn first. So a wait costs no Secret, no look-up and no plan. */
export function stillHeld(pass: Pass, ctx: Ctx): Result | undefined {
  const { machine, deps } = pass
  const now = ctx.clock.now()
  const held = machine && deps.launches.stillHeld(machine, now)
  return held && waitForTurn(pass, held, now)
}

/** Admits it and claims what it asks for; or why it goes no further. */
export function enter(pass: Pass, asking: Asking | undefined, ctx: Ctx): Result | undefined {
  const now = ctx.clock.now()
  const held = asking && pass.deps.launches.enter(asking, now)
  return held && waitForTurn(pass, held, now)
}

/** Asks again when its turn at the cloud has come. A create with two writes is not stopped between them. */
export function refuseIfHeld({ deps }: Pass, asking: Asking | undefined, ctx: Ctx): RefuseIf {
  let isSent = false
  return () => {
    isSent ||= !asking || deps.launches.enter(asking, ctx.clock.now()) === undefined
    return isSent ? undefined : heldBack()
  }
}

/**
 * After a failed write its claim ends, because nothing was asked. A write without an answer may be done: the claim
 * tells of it until the attempt shows. The next pass reads the object before it chooses anew.
 */
export function endClaim({ machine, deps }: Pass, thrown: unknown): void {
  const mayBeDone = thrown instanceof ApiError && !isDefinite(thrown)
  if (machine && !mayBeDone) deps.launches.end(keyOf(machine))
}

/** Tells a definite no to all that want the same. */
export function tellRefused(
  { machine, cluster, infra, attempt, deps }: Pass,
  refusal: Pick<KeptRefusal, 'kind' | 'code'>,
  ctx: Ctx,
): void {
  if (!machine || !cluster || !attempt) return
  const { scope } = attempt
  const offering = offeringOf(attempt)
  const groups = offering ? closedBy(askedOf({ scope, offering, infra }), refusal, scope.cloud) : []
  deps.launches.refused({ machine, cluster: keyOf(cluster), groups }, timeOf(refusedAt(attempt)) ?? ctx.clock.now())
}

/** Its last pass has said that it waits. */
export function wasHeld({ infra }: Pass): boolean {
  const reason: MachineReason = 'CapacityBackoff'
  return findCondition(infra.status?.conditions, 'Ready')?.reason === reason
}

function waitForTurn(pass: Pass, { until, offering, patientUntil }: Held, now: number): Result {
  if (patientUntil === undefined) return waitForAny(pass, until, now)
  pass.ready = heldVerdict(offering, patientUntil, now)
  return { requeueAfterMs: until - now, reason: 'its offering was refused to another machine' }
}

/** For the first of its offerings that it may ask for. */
export function waitForAny(pass: Pass, until: number, now: number): Result {
  pass.ready = allClosedVerdict(until, now)
  return { requeueAfterMs: Math.max(0, until - now), reason: 'all its offerings were refused' }
}
