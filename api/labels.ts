import { coreGroup, spotGroup } from './kinds.ts'

/** Keys that we write. Annotations survive `clusterctl move`; status and uids do not. */
export const annotations = {
  /** On the core Cluster and its infrastructure cluster: the random id that its instances carry. */
  ownerId: `${spotGroup}/owner-id`,
  /**
   * On the infrastructure cluster, beside the copy of the owner id: the cloud account of its instances. Credentials of
   * another account are refused.
   */
  account: `${spotGroup}/account`,
  /** Beside each of them: the management cluster and the Lease of the manager that has it. */
  ownerIdHolder: `${spotGroup}/owner-id-holder`,
  /** On the infrastructure cluster: why another manager may have the owner id too. A person removes it. */
  ownerIdShared: `${spotGroup}/owner-id-shared`,
  /** On the infra machine: the one attempt to get an instance, written before the cloud is called. */
  attempt: `${spotGroup}/attempt`,
  /** On the infrastructure cluster: the backoff of its Machines. */
  backoff: `${spotGroup}/backoff`,
  /** On the core Machine: what was decided when its instance was announced to end. */
  interruption: `${spotGroup}/interruption`,
} as const

/** Keys that people write. */
export const requests = {
  /** On an infra machine: a person confirms that its instance is gone, although the manager has no proof. Any value. */
  confirmGone: `${spotGroup}/confirm-gone`,
  /** On a Machine: a fire drill. The value says how long until its instance counts as taken, such as `2m`. */
  rehearse: `${spotGroup}/rehearse-interruption`,
} as const

/** On Machines and on the objects of the remediation controller. */
export const machineLabels = {
  /** The Machine is to be replaced now. The managed MachineHealthCheck selects this label and nothing else. */
  remediationDue: `${spotGroup}/remediation-due`,
  /** On our MachineHealthCheck. A person who removes it takes the object over. */
  managed: `${spotGroup}/managed`,
} as const

/** Condition of a Machine: True while its replacement is due. Any MachineHealthCheck may use it. */
export const remediationDue = 'SpotRemediationDue'

/** On the Node: the offering as bought. */
export const nodeLabels = {
  capacityType: `${spotGroup}/capacity-type`,
  instanceType: `${spotGroup}/instance-type`,
  /** `capacityType.instanceType.zone`: the offering that the node came from. */
  pool: `${spotGroup}/pool`,
  /** The same label with the same value that core sets from `status.interruptible`. */
  interruptible: `${coreGroup}/interruptible`,
} as const

/**
 * On the Node of an instance that is off. Kubernetes then ends its pods and detaches its volumes at once, instead of
 * after six minutes. It looks at the key alone; the value shows that the taint is ours.
 */
export const outOfService = {
  key: 'node.kubernetes.io/out-of-service',
  value: 'spot-instance-off',
  effect: 'NoExecute',
} as const

/** On the Node of an instance that was announced to end: no further Pods are placed there. */
export const interrupted = { key: `${spotGroup}/interrupted`, value: 'notice', effect: 'NoSchedule' } as const

/** On a Node that drains: load balancers send it no new connections. */
export const excludeFromLoadBalancers = 'node.kubernetes.io/exclude-from-external-load-balancers'

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
  /** On a MachineDeployment and its MachineSets: equal on the MachineSet of the present template. */
  revision: `machinedeployment.clusters.x-k8s.io/revision`,
  /** On a Machine that core changes in place. */
  inPlaceUpdate: `in-place-updates.internal.${coreGroup}/update-in-progress`,
  /** On a Machine that is being deleted: core drains its Node only when this is gone. */
  preDrainHook: `pre-drain.delete.hook.machine.${coreGroup}/spot-replacement`,
  /** On an infra machine: the template that it was made from. */
  clonedFromName: `${coreGroup}/cloned-from-name`,
  /** On a Machine: health checks skip it. */
  skipRemediation: `${coreGroup}/skip-remediation`,
  /** On a Pod: how a drain treats it. */
  drain: `${coreGroup}/drain`,
  excludeNodeDraining: `machine.${coreGroup}/exclude-node-draining`,
  excludeVolumeDetach: `machine.${coreGroup}/exclude-wait-for-node-volume-detach`,
  /**
   * `clusterctl move` has created the object elsewhere, and deletes this one next. It removes all other annotations.
   */
  deleteForMove: `clusterctl.${coreGroup}/delete-for-move`,
} as const
