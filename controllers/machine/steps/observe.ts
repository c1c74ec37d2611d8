import type { Ctx } from '../../../api/ctx.ts'
import { hasEnded } from '../../../api/rules/outcome.ts'
import { goneVerdict, readinessOf } from '../../../api/rules/readiness.ts'
import type { Verdict } from '../../../api/conditions.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { isAbsenceUnproven } from '../../../providers/shared/account.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import { isUp } from '../../../providers/fleet/snapshot.ts'
import type { Presence } from '../../../providers/fleet/presence.ts'
import type { Instance } from '../../../api/instance.ts'
import type { InstanceRef } from '../../../providers/instances.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { keepAttempt, providerIDOf } from '../status/patch.ts'
import { afterRefusal } from '../launch/after-refusal.ts'
import type { Pass } from '../pass.ts'
import { hasBeenObserved, mayStillExist } from '../existence/existence.ts'
import { unprovenAbsenceOf } from '../existence/vanished.ts'
import { whichInstance } from '../existence/which.ts'

/** Looks for the instance in the fleet's list. Only if the list lacks it, it asks the cloud. */
export async function observe(pass: Pass, ctx: Ctx): Promise<Result> {
  if (pass.phase !== 'bought') return 'done'
  const which = whichInstance(pass)
  if (!which?.id) return 'done'
  const { deps, cloud } = pass
  const fleet = deps.fleetOf(which.scope, cloud, pass.key)
  const named = { ...which, id: which.id }
  const sighting = await sight(pass, { which: named, fleet }, ctx)
  if (sighting instanceof CloudError) {
    // An instance that the cloud has shown as ended stays ended: its replacement is under way.
    if (!hasEnded(pass.infra)) pass.ready = unprovenVerdict(sighting)
    return { requeueAfterMs: 15_000, reason: 'that the instance is gone is not proven' }
  }
  switch (sighting.is) {
    case 'seen':
      pass.systemCheck = isUp(sighting.instance) ? fleet.store.checkOf(named.id) : undefined
      return take(pass, { whose: named.tag, instance: sighting.instance }, ctx)
    case 'gone':
      pass.ready = goneVerdict(named.id)
      return mayStillExist(pass, fleet, sighting.asOf)
        ? { requeueAfterMs: 5_000, reason: 'reads may be late, and the instance is young' }
        : 'done'
    case 'awaited':
    case 'missing':
      return { requeueAfterMs: 5_000, reason: 'no list has shown the instance yet' }
  }
}

/** Found gone while late reads could hide it: confirmed again once they cannot. */
async function sight(
  pass: Pass,
  { which, fleet }: { which: InstanceRef & { id: string }; fleet: Fleet },
  ctx: Ctx,
): Promise<Presence | CloudError> {
  const known = fleet.look(which, hasBeenObserved(pass.infra, which.id), ctx)
  const isHidden = (at: number) => mayStillExist(pass, fleet, at)
  const isToLookAgain = known.is === 'gone' && isHidden(known.asOf) && !isHidden(ctx.clock.monotonic())
  if (known.is !== 'missing' && !isToLookAgain) return known
  try {
    return unprovenAbsenceOf(pass, { which, fleet }, ctx) ?? (await fleet.confirmGone(which, ctx))
  } catch (thrown) {
    if (thrown instanceof CloudError && isAbsenceUnproven(thrown)) return thrown
    throw thrown
  }
}

function unprovenVerdict({ message }: CloudError): Verdict<MachineReason> {
  return { status: 'Unknown', reason: 'AbsenceUnproven', message }
}

async function take(
  pass: Pass,
  { whose, instance }: { whose: OwnershipTag; instance: Instance },
  ctx: Ctx,
): Promise<Result> {
  if (!isOwnedBy(instance, whose)) {
    pass.ready = {
      status: 'Unknown',
      reason: 'OwnershipConflict',
      message: `Instance ${instance.id} lacks the tags of this machine, so the manager does not act on it. Restore its tags or replace the Machine.`,
    }
    return 'done'
  }
  pass.instance = instance
  const { attempt, infra } = pass
  if (infra.spec.providerID !== undefined || !attempt) {
    pass.ready = readinessOf(instance)
  } else if (instance.failure) {
    // The cloud had said yes, and then could not start it: a refusal as much as one of the call itself.
    return afterRefusal(pass, { refusal: instance.failure, at: 'later' }, ctx)
  } else {
    pass.ready = readinessOf(instance)
    if (instance.started) await keepAttempt(pass, { attempt, ...providerIDOf(pass, instance) }, ctx)
  }
  return 'done'
}
