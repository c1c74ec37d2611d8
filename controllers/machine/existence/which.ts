import { cameToNothing, type Attempt } from '../../../api/attempt.ts'
import { requests } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { InstanceRef } from '../../../providers/instances.ts'
import type { Scope } from '../../../api/scope.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import type { Pass } from '../pass.ts'

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
    ...(isOver(infra, attempt) ? { needsNoProof: true } : {}),
  }
}

/**
 * Whether its subnet has to be seen before it counts as absent. Not where the cloud said no: nothing came of that, and
 * the subnet may be what it said no to.
 */
function isPlaceNeeded({ refused, handle }: Attempt): boolean {
  return handle !== undefined || !refused
}

/** That the cloud does not show it is enough. What it has shown as terminated it may have forgotten since. */
function isOver(infra: InfraMachine, attempt: Attempt): boolean {
  const isTerminated = infra.status?.instanceState === 'terminated' && isOfAttempt(infra, attempt.handle)
  return isConfirmedGone(infra) || isTerminated || cameToNothing(attempt)
}

/** A person says that the instance of this machine is gone. */
export function isConfirmedGone({ metadata }: Pick<InfraMachine, 'metadata'>): boolean {
  return metadata.annotations?.[requests.confirmGone] !== undefined
}

/** Where it is followed: where its infrastructure cluster is, which may know more; without that, what was frozen. */
export function scopeOfAttempt({ cloud, home }: Pick<Pass, 'cloud' | 'home'>, { scope }: Attempt): Scope {
  const frozen = { ...scope, cloud: cloud.name }
  if (!home || home.account !== undefined || scope.account === undefined) return home ?? frozen
  return { ...home, account: scope.account }
}

/**
 * Whether a list or an answer other than that of the create call has shown the instance: then a lack of it means
 * something. One that has run may be called pending again (restarted, or failed on IBM), so its state alone does not
 * tell; nor does the providerID, which EC2 gives with the answer to the create call.
 */
export function hasBeenObserved(infra: InfraMachine, handle: string | undefined): boolean {
  const { initialization, instanceState } = infra.status ?? {}
  if (initialization?.provisioned === true) return true
  return instanceState !== undefined && instanceState !== 'pending' && isOfAttempt(infra, handle)
}

/** Whether the status speaks of this instance, and not of that of an attempt before. */
function isOfAttempt({ status }: InfraMachine, handle: string | undefined): boolean {
  return handle !== undefined && status?.instanceID === handle
}
