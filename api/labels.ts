import { coreGroup, spotGroup } from './kinds.ts'

/** Keys that we write. Annotations survive `clusterctl move`; status and uids do not. */
export const annotations = {
  /** On the core Cluster and its infrastructure cluster: the random id that proves whose an instance is. */
  ownerId: `${spotGroup}/owner-id`,
  /**
   * On the infrastructure cluster, beside the copy of the owner id: the account of the cloud that its instances are in.
   * Credentials of another account are refused.
   */
  account: `${spotGroup}/account`,
  /** Beside each of them: the management cluster and the Lease of the manager that has it. */
  ownerIdHolder: `${spotGroup}/owner-id-holder`,
  /** On the infrastructure cluster: why another manager may have the owner id too. A person removes it. */
  ownerIdShared: `${spotGroup}/owner-id-shared`,
  /** On the infra machine: the one attempt to get an instance, written before the cloud is asked. */
  attempt: `${spotGroup}/attempt`,
  /** On the infrastructure cluster: what failed for Machines of the Cluster, how often and when. */
  backoff: `${spotGroup}/backoff`,
} as const

/** Keys that people write. */
export const requests = {
  /** On an infra machine: its instance is gone, although nothing proves it that the manager accepts. Any value. */
  confirmGone: `${spotGroup}/confirm-gone`,
} as const

/** On Machines and on the objects of the remediation controller. */
export const machineLabels = {
  /** The Machine is to be replaced now: the managed MachineHealthCheck selects this and nothing else. */
  remediationDue: `${spotGroup}/remediation-due`,
  /** On the MachineHealthCheck that we keep. Whoever takes it off has made that one their own. */
  managed: `${spotGroup}/managed`,
} as const

/** Of a Machine: True while its replacement is due. Any MachineHealthCheck may look at it. */
export const remediationDue = 'SpotRemediationDue'

/** On the Node, from what was really bought. */
export const nodeLabels = {
  capacityType: `${spotGroup}/capacity-type`,
  instanceType: `${spotGroup}/instance-type`,
  /** `capacityType.instanceType.zone`: the offering that the node came from. */
  pool: `${spotGroup}/pool`,
  /** The same label with the same value that core sets from `status.interruptible`. */
  interruptible: `${coreGroup}/interruptible`,
} as const

/**
 * On the Node of an instance that is off: Kubernetes then ends its pods and detaches its volumes at once, where it
 * would wait for six minutes. It looks at the key alone; by the value we know our own.
 */
export const outOfService = {
  key: 'node.kubernetes.io/out-of-service',
  value: 'spot-instance-off',
  effect: 'NoExecute',
} as const

export const finalizers = {
  machine: `${spotGroup}/machine`,
  cluster: `${spotGroup}/cluster`,
} as const

/** Keys of Cluster API that we read, and some that we write to Machines. */
export const core = {
  clusterName: `${coreGroup}/cluster-name`,
  paused: `${coreGroup}/paused`,
  managedBy: `${coreGroup}/managed-by`,
  watchFilter: `${coreGroup}/watch-filter`,
  controlPlane: `${coreGroup}/control-plane`,
  deploymentName: `${coreGroup}/deployment-name`,
  /** On an infra machine: the template that it was made from. */
  clonedFromName: `${coreGroup}/cloned-from-name`,
  /** On a Machine: no health check looks at it. */
  skipRemediation: `${coreGroup}/skip-remediation`,
  excludeNodeDraining: `machine.${coreGroup}/exclude-node-draining`,
  excludeVolumeDetach: `machine.${coreGroup}/exclude-wait-for-node-volume-detach`,
  /**
   * `clusterctl move` has made the object anew elsewhere, and deletes this one next; it takes all other annotations
   * away.
   */
  deleteForMove: `clusterctl.${coreGroup}/delete-for-move`,
} as const
