import type { Attempt } from '../../../api/attempt.ts'
import type { InstanceRef } from '../../../providers/instances.ts'
import type { Scope } from '../../../api/scope.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import type { Pass } from '../pass.ts'
import { needsNoProof } from './existence.ts'

/** How the instance of this pass's attempt is named to the cloud; undefined while there is no attempt. */
export function whichInstance(pass: Pass): InstanceRef | undefined {
  const { attempt, cloud, infra } = pass
  if (!attempt) return undefined
  const { owner, token, handle, at } = attempt
  const ownership = { owner, token, machine: attempt.for }
  const name = cloud.nameOf(ownership)
  const zone = at?.zone || infra.status?.failureDomain
  return {
    scope: scopeOfAttempt(pass, attempt),
    tag: tagOf(ownership),
    ...(name === undefined ? {} : { name }),
    ...(handle === undefined ? {} : { id: handle }),
    ...(zone ? { zone } : {}),
    ...(at && isPlaceNeeded(attempt) ? { subnet: at.subnet } : {}),
    ...(needsNoProof(infra, attempt) ? { needsNoProof: true } : {}),
  }
}

/**
 * Whether its subnet has to be seen before it counts as absent. Not where the cloud said no: nothing came of that, and
 * the subnet may be what it said no to.
 */
function isPlaceNeeded({ refused, handle }: Attempt): boolean {
  return handle !== undefined || !refused
}

/** Where it is followed: where its infrastructure cluster is, which may know more; without that, what was frozen. */
export function scopeOfAttempt({ cloud, home }: Pick<Pass, 'cloud' | 'home'>, { scope }: Attempt): Scope {
  const frozen = { ...scope, cloud: cloud.name }
  if (!home || home.account !== undefined || scope.account === undefined) return home ?? frozen
  return { ...home, account: scope.account }
}
