import type { CloudName } from '../../../api/scope.ts'

/** The spec with which each cloud deletes an instance that it takes back; EC2 always does. */
export const deletedWhenTaken: Readonly<Record<CloudName, object>> = {
  aws: {},
  azure: { spotVMOptions: { evictionPolicy: 'Delete' } },
  gcp: { instanceTerminationAction: 'Delete' },
  ibm: { availabilityPolicy: { preemption: 'delete' } },
}

/** The spec with which each cloud stops or deallocates it; EC2 never does. */
export const stoppedWhenTaken: Readonly<Record<CloudName, object>> = {
  aws: {},
  azure: { spotVMOptions: { evictionPolicy: 'Deallocate' } },
  gcp: { instanceTerminationAction: 'Stop' },
  ibm: { availabilityPolicy: { preemption: 'stop' } },
}

/** The words of each cloud when it takes an instance back and stops it, or ends it if it never stops one. */
export const wordsForTaken: Readonly<Record<CloudName, RegExp>> = {
  aws: /Server\.SpotInstanceTermination/,
  azure: /PowerState\/(stopped|deallocat)/,
  gcp: /compute\.instances\.preempted/,
  ibm: /stopped_by_preemption/,
}
