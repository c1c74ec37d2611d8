import type { Attempt } from '../../../api/attempt.ts'
import { siteOf } from '../../../api/rules/capacity/chosen.ts'
import type { InstanceRef } from '../../../providers/instances.ts'
import type { Scope } from '../../../api/scope.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import type { Pass } from '../pass.ts'
import { needsNoProof } from './existence.ts'

/** The reference by which the cloud finds the instance of the attempt. Undefined while there is no attempt. */
export function whichInstance(pass: Pass): InstanceRef | undefined {
  const { attempt, cloud, infra } = pass
  if (!attempt) return undefined
  const { owner, token, handle } = attempt
  const at = siteOf(attempt)
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
 * Whether the cloud has to show the subnet before the instance counts as absent. Not after a refusal: it made no
 * instance, and the subnet itself may have been refused.
 */
function isPlaceNeeded({ refused, handle }: Attempt): boolean {
  return handle !== undefined || !refused
}

/** The scope of the infrastructure cluster, which may know the account by now. Without it, the frozen scope. */
export function scopeOfAttempt({ cloud, home }: Pick<Pass, 'cloud' | 'home'>, { scope }: Attempt): Scope {
  const frozen = { ...scope, cloud: cloud.name }
  if (!home || home.account !== undefined || scope.account === undefined) return home ?? frozen
  return { ...home, account: scope.account }
}
