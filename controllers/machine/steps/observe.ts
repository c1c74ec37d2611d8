import type { Ctx } from '../../../api/ctx.ts'
import { goneVerdict, readinessOf } from '../../../api/rules/readiness.ts'
import type { Instance, Ownership } from '../../../providers/instances.ts'
import { isOwnedBy } from '../../../providers/ownership.ts'
import type { Next } from '../../runtime/next.ts'
import type { Pass } from '../pass.ts'
import { hasServed, whichInstance } from '../which.ts'

/** What has become of the instance: from the fleet's list, and by a call only when that list lacks it. */
export async function observe(pass: Pass, ctx: Ctx): Promise<Next> {
  const which = whichInstance(pass)
  if (!which?.id || pass.ready) return 'done'
  const { deps, cloud } = pass
  const fleet = deps.fleetOf(which.scope, cloud)
  const named = { ...which, id: which.id }
  let sighting = fleet.look(named, hasServed(pass), ctx)
  if (sighting.is === 'missing') sighting = await fleet.confirmGone(named, ctx)
  switch (sighting.is) {
    case 'seen':
      return take(pass, named, sighting.instance)
    case 'gone':
      pass.ready = goneVerdict(named.id)
      return 'done'
    case 'awaited':
    case 'missing':
      return { after: 5_000, why: 'no list has shown the instance yet' }
  }
}

function take(pass: Pass, whose: Ownership, instance: Instance): Next {
  if (!isOwnedBy(instance, whose)) {
    pass.ready = {
      status: 'Unknown',
      reason: 'OwnershipConflict',
      message: `Instance ${instance.id} does not carry the tags of this machine; it is left alone. Restore its tags or replace the Machine.`,
    }
    return 'done'
  }
  pass.instance = instance
  pass.ready = readinessOf(instance)
  return 'done'
}
