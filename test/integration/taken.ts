import type { CloudName } from '../../api/scope.ts'

/** What makes each cloud delete an instance that it takes back; EC2 always does. */
export const deletedWhenTaken: Readonly<Record<CloudName, object>> = {
  aws: {},
  azure: { spotVMOptions: { evictionPolicy: 'Delete' } },
  gcp: { instanceTerminationAction: 'Delete' },
  ibm: { availabilityPolicy: { preemption: 'delete' } },
}

/** What makes each stop it, or deallocate it; EC2 never does. */
export const stoppedWhenTaken: Readonly<Record<CloudName, object>> = {
  aws: {},
  azure: { spotVMOptions: { evictionPolicy: 'Deallocate' } },
  gcp: { instanceTerminationAction: 'Stop' },
  ibm: { availabilityPolicy: { preemption: 'stop' } },
}

/** How each cloud says that it took an instance back and stopped it, or ended it where it never stops one. */
export const wordsForTaken: Readonly<Record<CloudName, RegExp>> = {
  aws: /Server\.SpotInstanceTermination/,
  azure: /PowerState\/(stopped|deallocat)/,
  gcp: /compute\.instances\.preempted/,
  ibm: /stopped_by_preemption/,
}
