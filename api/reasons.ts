/**
 * Every reason of our conditions, with its meaning. The code takes reasons from this table only, and the pages are
 * generated from it.
 */
export const machineReasons = {
  WaitingForMachine: 'No Machine owns this object yet. Cluster API sets the owner within seconds.',
  WaitingForCluster: 'The Cluster or its infrastructure cluster does not exist yet.',
  WaitingForClusterInfrastructure: 'The infrastructure cluster is not provisioned yet.',
  WaitingForBootstrapData: 'The Machine has no bootstrap data yet, or its Secret cannot be read.',
  Launching: 'The manager requests the instance from the cloud.',
  CapacityBackoff:
    'The cloud refused this offering, or with `fallback` all of them. The manager requests the instance when its turn comes, without `fallback` after `backoff.maxSeconds` at the latest.',
  InstanceStarting: 'The instance exists; the cloud is starting it.',
  CloudUnavailable:
    'The cloud does not answer, or answers with an error. The manager repeats the request with growing pauses.',
  CredentialsDenied:
    'The cloud rejected the credentials or a permission, or the credentials belong to another account. The manager tries again within 5 minutes.',
  AbsenceUnproven:
    'The cloud does not show the instance, but its subnet is missing too, or too many instances are missing at once. The manager does not count it as gone.',
  OwnershipConflict:
    'The name, the token, the launch attempt or the Machine conflicts with another object or instance. The manager creates nothing until you resolve the conflict.',
  AccountNotAllowed:
    'The namespace may not use the account of the cluster (--namespace-accounts). The manager creates, lists and terminates nothing there.',
  Running: 'The instance runs.',
  InsufficientCapacity: 'The cloud had no capacity for this type in this zone. The machine failed and is not retried.',
  QuotaExceeded: 'The quota of the account is used up. The machine failed and is not retried.',
  MaxPriceTooLow: 'The spot price is above maxPrice. The machine failed and is not retried.',
  SubnetFull: 'The subnet has no free address. The machine failed and is not retried.',
  ReservationUnavailable: 'The capacity reservation is full, ended or unknown. The machine failed and is not retried.',
  InvalidConfiguration:
    'The cloud does not accept the configuration; the message names the field. With status False the machine failed and is not retried. With Unknown the manager looks again.',
  LaunchFailed: 'The cloud accepted the instance and then did not start it.',
  Interrupted: 'The cloud took the instance back.',
  InstanceStopped: 'The instance is stopped. It is not started again.',
  InstanceTerminated: 'The instance was terminated. It is not created again.',
  InstanceGone: 'The instance is gone. It is not created again.',
  Deleting: 'The machine is being deleted, with its resources in the cloud.',
} as const

export type MachineReason = keyof typeof machineReasons

export const clusterReasons = {
  WaitingForCluster:
    'No Cluster owns this object yet; Cluster API sets the owner within seconds. Or the Cluster names another object.',
  Provisioned: 'Machines can be created.',
  CredentialsDenied:
    'The cloud rejected the credentials or the permission to list instances, or the credentials belong to another account.',
  AccountNotAllowed:
    'The namespace may not use this account (--namespace-accounts). The manager lists and launches nothing, and keeps all finalizers.',
  AccountUnknown:
    'The cluster has machines, but the cloud shows none of their instances. The credentials may belong to another account.',
  WaitingForMachines: 'The cluster is being deleted, and some of its machines still exist.',
  NoOrphans: 'Every instance that carries the owner id of the Cluster belongs to a machine.',
  OrphansSuspected: 'Instances carry the owner id of the Cluster and belong to no machine, for less than five minutes.',
  OrphansFound: 'Instances carry the owner id of the Cluster and belong to no machine.',
  InstancesUnseen:
    'The manager does not see the instances: the Cluster is paused or not allowed, no Cluster owns the object, or no whole list has come for two minutes.',
  AnotherCluster:
    'Another Cluster in this management cluster has the same owner id. Instances without a machine are only reported.',
  AnotherManager:
    'Another manager has the same owner id: the objects or etcd were copied. Instances without a machine are only reported until you remove the annotation in the message.',
  OwnerIdNotShared: 'The owner id was shared before. Now only this Cluster uses it.',
  WaitingForInstances: 'The cluster is being deleted, and the cloud still shows some of its instances.',
} as const

export type ClusterReason = keyof typeof clusterReasons

/** Reasons of the condition CapacityKnown of machine templates. */
export const templateReasons = {
  CapacityKnown: 'The status shows the capacity of a Node of this template. The autoscaler can scale from zero.',
  CredentialsDenied: 'The cloud refuses to describe the instance type or image. The autoscaler cannot scale from zero.',
  InvalidConfiguration: 'The cloud does not know the instance type or image. The message names the field.',
  TwoArchitectures: 'The types in `fallback` are not all of the architecture of the instance type. No image fits both.',
} as const

export type TemplateReason = keyof typeof templateReasons

/** Reasons of the condition UniformCapacity of machine templates. It is absent without types in `fallback`. */
export const uniformReasons = {
  SameCapacity: 'Nodes of all types have the same capacity.',
  DifferentCapacity: 'Some types have other Nodes. The status shows what every Node has at least.',
} as const

export type UniformReason = keyof typeof uniformReasons

export const controlPlaneReasons = {
  WaitingForCluster: 'No Cluster owns this object yet; Cluster API sets the owner within seconds.',
  KubeconfigMissing: 'The Secret with the kubeconfig does not exist or is incomplete.',
  KubeconfigNotLabelled: 'The Secret with the kubeconfig lacks the label that Cluster API needs to find it.',
  KubeconfigNotSupported: 'The kubeconfig contains something that is not accepted from a Secret, such as a command.',
  Unreachable: 'The API server of the workload cluster does not answer, or something else answers.',
  CredentialsDenied:
    'The API server of the workload cluster rejected the credentials of the kubeconfig. They are wrong, revoked or expired.',
  PermissionsMissing: 'The user of the kubeconfig lacks a permission that Cluster API or the manager needs.',
  Available: 'The API server of the workload cluster answers.',
} as const

export type ControlPlaneReason = keyof typeof controlPlaneReasons

/** Reasons of the condition InterruptionNotice: the kinds of notices. It is absent until the first notice. */
export const noticeReasons = {
  Spot: 'The cloud takes the instance back.',
  CapacityEnding: 'The reservation or capacity block of the instance ends.',
  Rebalance: 'The cloud sees a higher risk for the instance to be taken back.',
  Maintenance: 'The host of the instance is restarted, moved or retired.',
  Lifetime: 'The instance reaches its longest life.',
  Rehearsal: 'A user asked for a rehearsal of an interruption.',
  NoNotice: 'A notice held before, and holds no longer.',
} as const

export type NoticeReason = keyof typeof noticeReasons

/** Reasons of the condition SystemStatusCheck of machines. It is absent until such a check has failed. */
export const systemCheckReasons = {
  Impaired:
    'The system status check of EC2 has failed for two minutes or more: the host has a fault, or lost its network.',
  Passed: 'The check failed before, and passes now.',
} as const

export type SystemCheckReason = keyof typeof systemCheckReasons

/** Reasons of the condition NoticeSources of infrastructure clusters. It is absent until a source is asked. */
export const noticeSourceReasons = {
  AllWork: 'Every source of notices that applies works.',
  SomeFail: 'At least one source of notices does not work. The message says which and why. The others go on.',
  NoneAsked: 'No source of notices is asked, because no instance runs that a notice could be about.',
} as const

export type NoticeSourceReason = keyof typeof noticeSourceReasons

/** Reasons of the condition SpotRemediationDue. It is absent while there is nothing to report. */
export const remediationReasons = {
  Due: 'The Machine is replaced. Its instance ended, its infrastructure machine is gone, or it is the retry after a failure.',
  BackingOff: 'The Machine failed. It is replaced at the time in the message, unless it recovers before.',
  StandAlone: 'The Machine failed, and no MachineSet owns it. Replace it yourself.',
  RemediationSkipped:
    'The Machine failed, and an annotation that someone else has set keeps all health checks away from it.',
} as const

export type RemediationReason = keyof typeof remediationReasons

/** Reasons of the condition InEffect. */
export const policyReasons = {
  InEffect: 'The policy applies to every Machine that it selects.',
  WaitingForCluster: 'This namespace has no Cluster with the name in spec.clusterName.',
  Overlapped: 'An older policy applies to a Machine that this policy selects.',
} as const

export type PolicyReason = keyof typeof policyReasons

export const pausedReasons = {
  Paused: 'The Cluster or the object is paused. The manager changes nothing until you remove the pause.',
  NotPaused: 'The object is not paused.',
} as const

export type PausedReason = keyof typeof pausedReasons

/** Reasons of events, besides those of the condition Ready. */
export const eventReasons = {
  SpotPreemption:
    'The cloud took the spot instance back. The event is on the machine, once for each interruption. It is also on the Node, if the kubeconfig allows the manager to create events.',
  FellBack:
    'On a machine with `fallback`: its instance runs, after the cloud refused others. The message says what it is, and what was refused.',
  HealthCheckNotOurs:
    'On a Cluster: a MachineHealthCheck of someone else has the name that the manager uses, so the manager creates none.',
  HealthCheckContested:
    'On a Cluster: something keeps changing the MachineHealthCheck of the manager. The message names the fields.',
  ExtensionFailed:
    'On an AzureMachine: Azure refused a VM extension, or the extension failed. The machine serves without it.',
  OwnerIdShared:
    'On an infrastructure cluster: another manager has the same owner id. The manager terminates no instance without a machine until you remove the annotation that the condition OwnerIdShared names.',
  InterruptionNotice:
    'The cloud announced that it takes the instance back, or that it suffers. The message says what follows.',
  PodsNotDeleted:
    'On a machine: the manager may not delete Pods of the workload cluster before the cloud takes their instance. It is said once for a Cluster.',
  SystemStatusCheckFailed:
    'On an AWSMachine: EC2 has found the host of the instance impaired for two minutes or more. The manager does nothing.',
  TakenWithoutNotice:
    'On a machine: the cloud took the instance back, and no source had announced it. Its Pods had no time to end.',
  InterruptionForeign:
    'On a machine: the Machine has an annotation of the manager that was copied, or written by someone else. It has no effect.',
  RehearsalIgnored:
    'On a machine: the annotation that asks for a rehearsal of an interruption has no effect. The message says why.',
  OrphanEnded: 'The manager ended an instance that carried the owner id of the Cluster and belonged to no machine.',
} as const

export type EventReason = MachineReason | keyof typeof eventReasons
