/**
 * Every reason that our conditions carry, with what it means. The one table: code takes reasons from here only, and the
 * documentation is compared with it.
 */
export const machineReasons = {
  WaitingForMachine: 'No Machine owns this object yet; Cluster API sets the owner within seconds.',
  WaitingForCluster: 'The Cluster, or the infrastructure cluster that it refers to, does not exist yet.',
  WaitingForClusterInfrastructure: 'The Cluster has no provisioned infrastructure yet.',
  WaitingForBootstrapData: 'The Machine has no bootstrap data yet, or its Secret cannot be read.',
  Launching: 'The cloud is being asked for the instance.',
  InstanceStarting: 'The instance exists; the cloud is starting it.',
  CloudUnavailable: 'The cloud does not answer as it should; the same request is repeated with growing pauses.',
  CredentialsDenied:
    'The cloud refuses our credentials or permissions, or they are of another account than the instances. A person has to mend them.',
  AbsenceUnproven:
    'The cloud does not show the instance, and that may be a mistake: its subnet is not shown either, or too many instances are missing at once. It is not taken for gone.',
  OwnershipConflict:
    'The name, the token, the attempt or the Machine belongs to something else. Nothing is created until that is gone.',
  AccountNotAllowed:
    'The namespace may not use the account of the cluster (--namespace-accounts). Nothing is asked for, looked at or ended.',
  Running: 'The instance runs.',
  InsufficientCapacity: 'The cloud had no capacity for this offering. The machine failed and will not ask again.',
  QuotaExceeded: "The account's quota for this class is used up. The machine failed and will not ask again.",
  MaxPriceTooLow: 'The spot price is above maxPrice. The machine failed and will not ask again.',
  SubnetFull: 'The subnet has no free address. The machine failed and will not ask again.',
  ReservationUnavailable:
    'The capacity reservation is empty, ended or unknown. The machine failed and will not ask again.',
  InvalidConfiguration:
    'The cloud cannot accept this configuration; the message names the field. False: the machine failed and will not ask again. Unknown: what the launch needs is looked up again.',
  LaunchFailed: 'The cloud accepted the instance and then could not start it.',
  Interrupted: 'The cloud took the instance back.',
  InstanceStopped: 'The instance is stopped. It is not started again.',
  InstanceTerminated: 'The instance was terminated. It is not created again.',
  InstanceGone: 'The instance is no longer there. It is not created again.',
  Deleting: 'The machine is being deleted, with all that belongs to it in the cloud.',
} as const

export type MachineReason = keyof typeof machineReasons

export const clusterReasons = {
  WaitingForCluster:
    'No Cluster owns this object yet; Cluster API sets the owner within seconds. Or the Cluster refers to another object.',
  Provisioned: 'Machines may be created in this place.',
  CredentialsDenied:
    'The cloud refuses our credentials or permissions to list instances, or they are of another account than the instances. A person has to mend them.',
  AccountNotAllowed:
    'The namespace may not use this account (--namespace-accounts). Nothing is listed, launched or let go.',
  AccountUnknown:
    'The cluster has machines, and the cloud shows no instance of them: our credentials may be of another account. A person has to look.',
  WaitingForMachines: 'The cluster is being deleted; machines of it still exist.',
  NoOrphans: 'Every instance that carries the owner id of the Cluster belongs to a machine.',
  OrphansSuspected: 'Instances carry the owner id of the Cluster and belong to no machine, for less than five minutes.',
  OrphansFound: 'Instances carry the owner id of the Cluster and belong to no machine; a person is asked to look.',
  AnotherCluster:
    'Another Cluster in this management cluster has the same owner id. Instances without a machine are only reported.',
  AnotherManager:
    'Another manager has the same owner id: objects were copied, or etcd was. Instances without a machine are only reported until a person removes the annotation that the message names.',
  OwnerIdNotShared: 'The owner id was shared and is not any more.',
  WaitingForInstances: 'The cluster is being deleted; the cloud still shows instances of it.',
} as const

export type ClusterReason = keyof typeof clusterReasons

/** Of the condition CapacityKnown of machine templates. */
export const templateReasons = {
  CapacityKnown: 'The status says what a Node of this template offers. The autoscaler can scale from zero.',
  CredentialsDenied:
    'The cloud refuses the look-up of the instance type or image. The autoscaler cannot scale from zero.',
  InvalidConfiguration: 'The cloud does not know the instance type or image. The message names the field.',
} as const

export type TemplateReason = keyof typeof templateReasons

export const controlPlaneReasons = {
  WaitingForCluster: 'No Cluster owns this object yet; Cluster API sets the owner within seconds.',
  KubeconfigMissing: 'The Secret with the kubeconfig does not exist or is incomplete.',
  KubeconfigNotLabelled: 'The Secret with the kubeconfig lacks the label by which Cluster API sees it.',
  KubeconfigNotSupported: 'The kubeconfig uses something that is not accepted from a Secret.',
  Unreachable: 'The API server of the workload cluster does not answer, or not as one.',
  CredentialsDenied:
    'The API server of the workload cluster refuses the credentials of the kubeconfig: wrong, withdrawn or expired.',
  PermissionsMissing: 'The user of the kubeconfig may not do all that Cluster API and this manager do there.',
  Available: 'The API server of the workload cluster answers.',
} as const

export type ControlPlaneReason = keyof typeof controlPlaneReasons

/** Of the condition SpotRemediationDue, which is absent while there is nothing to say. */
export const remediationReasons = {
  Due: 'The Machine is replaced: its instance has ended, its infrastructure machine is gone, or it is the retry after a failure.',
  BackingOff: 'The Machine failed. It is replaced at the time in the message, unless it recovers before.',
  StandAlone: 'The Machine failed, and no MachineSet owns it. Replace it yourself.',
  RemediationSkipped:
    'The Machine failed, and an annotation that someone else has set keeps all health checks away from it.',
} as const

export type RemediationReason = keyof typeof remediationReasons

/** Of the condition InEffect. */
export const policyReasons = {
  InEffect: 'The policy applies to every Machine that it selects.',
  WaitingForCluster: 'This namespace has no Cluster with the name in spec.clusterName.',
  Overlapped: 'An older policy applies to a Machine that this policy selects.',
} as const

export type PolicyReason = keyof typeof policyReasons

export const pausedReasons = {
  Paused: 'The Cluster or the object is paused: nothing is changed until that is lifted.',
  NotPaused: 'The object is acted on.',
} as const

export type PausedReason = keyof typeof pausedReasons

/** Reasons of events besides those of the condition Ready, which a machine's events carry. */
export const eventReasons = {
  SpotPreemption:
    'The cloud took the spot instance back: on its machine, in place of `Interrupted`, and on its Node in the workload cluster, if the kubeconfig allows to create events there. Once for each interruption.',
  HealthCheckNotOurs:
    "On a Cluster: a MachineHealthCheck that is not the manager's has the name that the manager uses, so the manager keeps none.",
  HealthCheckContested:
    'On a Cluster: something keeps changing the MachineHealthCheck of the manager. The message names the fields.',
  ExtensionFailed:
    'On an AzureMachine: Azure refuses one of its vmExtensions, or it failed on the machine. The machine serves without it.',
  OwnerIdShared:
    'On an infrastructure cluster: another manager has its owner id too. Nothing without a machine is ended until a person removes the annotation that the condition OwnerIdShared names.',
  OrphanEnded: 'An instance that carried the owner id of the Cluster belonged to no machine any more and was ended.',
} as const

export type EventReason = MachineReason | keyof typeof eventReasons
