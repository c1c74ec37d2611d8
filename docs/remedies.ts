import type {
  ClusterReason,
  ControlPlaneReason,
  EventReason,
  MachineReason,
  NoticeReason,
  NoticeSourceReason,
  PolicyReason,
  RemediationReason,
  SystemCheckReason,
  TemplateReason,
  UniformReason,
} from '../api/reasons.ts'
import type { Outcome } from '../api/rules/outcome.ts'
import { termsOf } from '../api/rules/policy.ts'

/** What a person can do about each reason. Empty: nothing. */
export const machineRemedies: Readonly<Record<MachineReason, string>> = {
  WaitingForMachine: 'If the reason stays, delete the object, because nothing owns it.',
  WaitingForCluster: 'Create the Cluster and the object that its `spec.infrastructureRef` names.',
  WaitingForClusterInfrastructure: 'Look at the condition `Ready` of the infrastructure cluster.',
  WaitingForBootstrapData:
    'Create the Secret that `spec.bootstrap.dataSecretName` of the Machine names, with the key `value`.',
  Launching: '',
  CapacityBackoff: 'Wait, or add other types or zones to [fallback](fallback.md) in a new template.',
  InstanceStarting: '',
  CloudUnavailable: 'Check the network from the manager to the cloud, and the status page of the cloud.',
  CredentialsDenied:
    'Correct the credentials or the permissions: [permissions](permissions.md), [credentials](environment.md).',
  AbsenceUnproven:
    'Check to which account the credentials belong. If the instance is really gone, set the annotation that the message names.',
  OwnershipConflict:
    'The message names the conflict. If the instance does not belong to the Machine, delete the Machine.',
  AccountNotAllowed: 'Add the account to the file of `--namespace-accounts`, or use another account.',
  Running: '',
  InsufficientCapacity:
    'Wait: Cluster API replaces the Machine after a pause. Or add [fallback](fallback.md) with other types or zones in a new template.',
  QuotaExceeded: 'Raise the quota, or use fewer machines.',
  MaxPriceTooLow: 'Raise `maxPrice` in a new template, or leave it out.',
  SubnetFull: 'Add a larger subnet to the infrastructure cluster.',
  ReservationUnavailable: 'Check the reservation, or remove it in a new template.',
  InvalidConfiguration: 'Correct the field that the message names, in a new template.',
  LaunchFailed: 'Read the message. Cluster API replaces the Machine after a pause.',
  Interrupted: 'Nothing: Cluster API replaces the Machine.',
  InstanceStopped: 'Nothing: Cluster API replaces the Machine. Do not start the instance again.',
  InstanceTerminated: 'Nothing: Cluster API replaces the Machine.',
  InstanceGone: 'Nothing: Cluster API replaces the Machine.',
  Deleting: 'If the reason stays, read the log of the manager for this machine.',
}

export const clusterRemedies: Readonly<Record<ClusterReason, string>> = {
  WaitingForCluster: 'Create the Cluster, and let its `spec.infrastructureRef` name this object.',
  Provisioned: '',
  CredentialsDenied: machineRemedies.CredentialsDenied,
  AccountNotAllowed: machineRemedies.AccountNotAllowed,
  AccountUnknown: 'Check to which account the credentials belong. Look for the instances in the console of the cloud.',
  WaitingForMachines: 'Wait. If the reason stays, look at the machines of the Cluster.',
  NoOrphans: '',
  OrphansFound:
    'Look at each instance that the message names. Terminate it in the console of the cloud if nobody needs it.',
  OrphansSuspected: 'Wait: the manager checks again after five minutes.',
  InstancesUnseen:
    'Look at the conditions `Paused` and `Ready`. If both are well, wait until the cloud lists everything.',
  AnotherCluster:
    'Delete the machines of the younger Cluster, which the message names. It then gets an owner id of its own.',
  AnotherManager:
    'Make sure that no other management cluster has these Clusters. Then remove the annotation that the message names: [the owner id](designs/owner-id.md).',
  OwnerIdNotShared: '',
  WaitingForInstances: 'Wait. If the reason stays, terminate the instances in the console of the cloud.',
}

export const templateRemedies: Readonly<Record<TemplateReason, string>> = {
  CapacityKnown: '',
  CredentialsDenied: 'Grant the calls: [permissions](permissions.md).',
  InvalidConfiguration:
    'Correct the field in a new template. If the field holds a placeholder of a ClusterClass, do nothing.',
  TwoArchitectures: 'Use types of one architecture in a new template.',
}

export const uniformRemedies: Readonly<Record<UniformReason, string>> = {
  SameCapacity: '',
  DifferentCapacity: 'With cluster-autoscaler, use types with the same processors and memory in a new template.',
}

export const controlPlaneRemedies: Readonly<Record<ControlPlaneReason, string>> = {
  WaitingForCluster: 'Create the Cluster, and let its `spec.controlPlaneRef` name this object.',
  KubeconfigMissing: 'Create the Secret: [connect a cluster](workload-access.md).',
  KubeconfigNotLabelled: 'Add the label `cluster.x-k8s.io/cluster-name` with the name of the Cluster.',
  KubeconfigNotSupported:
    'Use a kubeconfig with a token or a client certificate in it: [connect a cluster](workload-access.md).',
  Unreachable: 'Check the address, the network and the firewall between the manager and that API server.',
  CredentialsDenied: 'Create a new kubeconfig: [connect a cluster](workload-access.md).',
  PermissionsMissing: 'Apply [access.yaml](workload-access/access.yaml) in the workload cluster.',
  Available: '',
}

export const remediationRemedies: Readonly<Record<RemediationReason, string>> = {
  Due: '',
  BackingOff: 'Wait until the time in the message, or correct the cause that it names.',
  StandAlone: 'Delete the Machine, and create another.',
  RemediationSkipped: 'Remove the annotation `cluster.x-k8s.io/skip-remediation`, or replace the Machine yourself.',
}

export const policyRemedies: Readonly<Record<PolicyReason, string>> = {
  InEffect: '',
  WaitingForCluster: 'Create the Cluster, or correct `spec.clusterName`.',
  Overlapped: 'Narrow the selector of one policy, so that no Machine fits both.',
}

export const noticeRemedies: Readonly<Record<NoticeReason, string>> = {
  Spot: 'Nothing, as a rule: the message says what the manager does.',
  CapacityEnding: 'Use another reservation or capacity type in a new template.',
  Rebalance: 'Nothing. Most instances with this notice are taken back later, or never.',
  Maintenance: 'Replace the Machine before the time in the message, if its Pods cannot bear a restart.',
  Lifetime: '',
  Rehearsal: '',
  NoNotice: '',
}

export const systemCheckRemedies: Readonly<Record<SystemCheckReason, string>> = {
  Impaired:
    'Delete the Machine if its Pods suffer. The manager does not: where many hosts fail at once, they often come back.',
  Passed: '',
}

export const noticeSourceRemedies: Readonly<Record<NoticeSourceReason, string>> = {
  AllWork: '',
  SomeFail: 'Correct what the message names. Until then the notices of that source are missing.',
  NoneAsked: '',
}

export const eventRemedies: Readonly<Record<Exclude<EventReason, MachineReason>, string>> = {
  SpotPreemption: '',
  FellBack: '',
  HealthCheckNotOurs: 'Rename that MachineHealthCheck, or set `healthCheck: None` in an InterruptionPolicy.',
  HealthCheckContested:
    'Stop the program that changes it. To manage it yourself, remove the label `spot.cluster.x-k8s.io/managed`.',
  ExtensionFailed: 'Look at the extension in Azure. Correct it in a new AzureMachineTemplate.',
  OwnerIdShared: 'Look at the condition `OwnerIdShared` of the object.',
  InterruptionNotice: 'Nothing, as a rule: the message says what the manager does.',
  PodsNotDeleted:
    'Grant it: [the permissions](workload-access.md). With `heldPods: Keep` in an InterruptionPolicy nothing is deleted.',
  SystemStatusCheckFailed: 'Look at the condition `SystemStatusCheck` of the object.',
  TakenWithoutNotice: 'Look at the condition `NoticeSources` of the infrastructure cluster.',
  InterruptionForeign: 'Remove the annotation that the message names.',
  RehearsalIgnored: 'Correct the annotation as the message says, or remove it.',
  OrphanEnded: 'Nothing. If it was a mistake, set `--orphans=Report`: [troubleshooting](troubleshooting.md).',
}

type ReplacementReason = Exclude<Extract<Outcome, { readonly reason: string }>['reason'], MachineReason>

/** A launch has these times, and `nodeStartupSeconds` on top of the second. */
const { startMs, patienceMs } = termsOf({ nodeStartupSeconds: 0 })

/**
 * The reasons of a replacement that the infra machine does not report. They are in the message of SpotRemediationDue.
 */
export const replacementReasons: Readonly<Record<ReplacementReason, readonly [meaning: string, remedy: string]>> = {
  NodeMissing: [
    'The instance runs, but no Node has joined within `nodeStartupSeconds`.',
    'Follow [the checks for a missing Node](troubleshooting.md#an-instance-runs-but-no-node-joins).',
  ],
  InterruptionNotice: [
    'The cloud announced that it takes back an instance that ran for less than `minHealthySeconds`, or the policy has `onNotice: Remediate`.',
    'Nothing: Cluster API replaces the Machine. If it happens often, add [fallback](fallback.md) in a new template.',
  ],
  StartTimeout: [
    `The cloud accepted the instance, and it did not start within ${startMs / 60_000} minutes.`,
    'Read the status of the instance in the console of the cloud.',
  ],
  InfrastructureDeleted: ['The infrastructure machine was deleted, and the Machine was not.', ''],
  LaunchTimeout: [
    `The cloud gave no clear answer to the launch for ${patienceMs / 60_000} minutes and \`nodeStartupSeconds\`.`,
    'Read the message of `Ready` on the machine, and the log of the manager.',
  ],
}
