import type { Instance, InstanceRef, Ownership } from '../../providers/instances.ts'
import type { Pass } from './pass.ts'

/** How the instance of this pass's attempt is named to the cloud; undefined while there is no attempt. */
export function whichInstance({ attempt, cloud }: Pass): InstanceRef | undefined {
  if (!attempt) return undefined
  const { owner, token, scope, handle } = attempt
  return {
    scope: { ...scope, cloud: cloud.name },
    owner,
    machine: attempt.for,
    token,
    ...(handle === undefined ? {} : { id: handle }),
  }
}

/** Whether a list or an answer other than that of the create call has shown the instance: then a lack of it means something. */
export function hasServed({ infra }: Pass): boolean {
  const state = infra.status?.instanceState
  return state !== undefined && state !== 'pending'
}

export function sameMachine({ ownership }: Instance, { owner, machine }: Omit<Ownership, 'token'>): boolean {
  return ownership?.owner === owner && ownership.machine === machine
}
