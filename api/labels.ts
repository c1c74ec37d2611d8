import { coreGroup, spotGroup } from './kinds.ts'

/** Keys that we write. Annotations survive `clusterctl move`; status and uids do not. */
export const annotations = {
  /** On the core Cluster and its infrastructure cluster: the random id that proves whose an instance is. */
  ownerId: `${spotGroup}/owner-id`,
  /** On the infra machine: the one attempt to get an instance, written before the cloud is asked. */
  attempt: `${spotGroup}/attempt`,
} as const

/** On the Node, from what was really bought. */
export const nodeLabels = {
  capacityType: `${spotGroup}/capacity-type`,
  instanceType: `${spotGroup}/instance-type`,
  /** `capacityType.instanceType.zone`: the offering that the node came from. */
  pool: `${spotGroup}/pool`,
  /** The same label with the same value that core sets from `status.interruptible`. */
  interruptible: `${coreGroup}/interruptible`,
} as const

export const finalizers = {
  machine: `${spotGroup}/machine`,
  cluster: `${spotGroup}/cluster`,
} as const

/** Keys of Cluster API that we read. */
export const core = {
  clusterName: `${coreGroup}/cluster-name`,
  paused: `${coreGroup}/paused`,
  managedBy: `${coreGroup}/managed-by`,
  watchFilter: `${coreGroup}/watch-filter`,
} as const
