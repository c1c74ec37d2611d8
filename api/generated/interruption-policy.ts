/* Made from crds/InterruptionPolicy.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * InterruptionPolicy defines how Machines of a Cluster are replaced when their instances end or never start. If several policies select a Machine, the oldest applies. A Machine that no policy selects uses the defaults of the fields below.
 */
export interface InterruptionPolicy {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'InterruptionPolicy'
  metadata: ObjectMeta & { namespace: string }
  spec: InterruptionPolicySpec
  status?: InterruptionPolicyStatus
}
/**
 * The Machines, and how they are replaced.
 */
export interface InterruptionPolicySpec {
  /**
   * The Cluster in this namespace whose Machines the policy applies to.
   */
  clusterName: string
  selector?: InterruptionPolicySelector
  backoff?: InterruptionPolicyBackoff
  /**
   * An instance that ends sooner than this after it started counts as a failure, and its replacement waits. An instance that ran longer is replaced at once. 0 replaces every ended instance at once.
   */
  minHealthySeconds?: number
  /**
   * How long a Machine may be without a Node after its instance started, before that counts as a failure. 0 waits forever.
   */
  nodeStartupSeconds?: number
  /**
   * What follows when the cloud announces that it takes an instance back. With DeleteMachine, the manager deletes the Machine, and Cluster API drains its Node. With Remediate, the Machine counts as failed and is replaced as failed Machines are. With ConditionOnly, conditions report it, and the Machine stays until the instance ends. A Machine that no MachineSet controls is never deleted.
   */
  onNotice?: 'DeleteMachine' | 'Remediate' | 'ConditionOnly'
  /**
   * The action when the cloud announces a higher risk, or maintenance of the host. With Ignore, none. With ConditionOnly, conditions report it. With Cordon, the Node takes no further Pods as well. With Replace, the Machine serves until its replacement is available. Of each MachineDeployment one is replaced at a time, and none that is younger than minHealthySeconds.
   */
  onRebalance?: 'Ignore' | 'ConditionOnly' | 'Cordon' | 'Replace'
  /**
   * How long an instance runs before its Machine is replaced, in the same way as with onRebalance Replace. The last tenth of that time is spread over the Machines. If omitted, there is no limit. A preemptible instance of GCP is replaced after 21.5 to 23.5 hours in any case, because GCE ends it after 24.
   */
  maxLifetimeSeconds?: number
  /**
   * How many Machines of a MachineDeployment may have a replacement beside them at the same time. Beyond that, a Machine is replaced when it is gone. If omitted, there is no limit.
   */
  maxAhead?: number
  /**
   * When the MachineSet creates the replacement of a Machine that is deleted on a notice. With Ahead, at once, so that old and new exist side by side. With Afterwards, when the Machine is gone.
   */
  replacement?: 'Ahead' | 'Afterwards'
  /**
   * When the drain of the Node begins. With WhenReplaced, when the replacement is available, or when the notice is about to run out. It needs replacement Ahead.
   */
  drain?: 'AtOnce' | 'WhenReplaced'
  /**
   * What becomes of Pods that a PodDisruptionBudget still holds when the instance is about to end. With Delete, the manager deletes each of them 10 seconds plus its grace period before the end, so that its containers are told to end. With Keep, they end with the instance.
   */
  heldPods?: 'Delete' | 'Keep'
  /**
   * With Managed, the manager keeps a MachineHealthCheck that removes the Machines that should be replaced. With None, a MachineHealthCheck of your own removes them: it selects the label spot.cluster.x-k8s.io/remediation-due and checks the condition SpotRemediationDue.
   */
  healthCheck?: 'Managed' | 'None'
}
/**
 * Selects Machines by their labels. If empty or omitted, it selects all Machines of the Cluster.
 */
export interface InterruptionPolicySelector {
  /**
   * Labels that a Machine must have, each with the given value.
   */
  matchLabels?: {
    [k: string]: string
  }
  /**
   * Further conditions on the labels of a Machine. All of them must hold.
   *
   * @maxItems 32
   */
  matchExpressions?: InterruptionPolicyMatchExpression[]
}
export interface InterruptionPolicyMatchExpression {
  /**
   * The label.
   */
  key: string
  /**
   * How the label is compared with the values.
   */
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  /**
   * The values that In and NotIn compare with.
   *
   * @maxItems 64
   */
  values?: string[]
}
/**
 * How long the manager waits before it replaces a Machine that could not be launched or that ended too soon. The pause doubles with each failed retry.
 */
export interface InterruptionPolicyBackoff {
  /**
   * The pause after the first failure.
   */
  initialSeconds?: number
  /**
   * The longest pause. A new Machine without fallback waits at most this long for its turn, then it requests its instance in any case.
   */
  maxSeconds?: number
}
/**
 * The manager writes it, and writes it again after clusterctl move.
 */
export interface InterruptionPolicyStatus {
  /**
   * The conditions of the policy. InEffect is True while the policy applies to every Machine that it selects.
   *
   * @maxItems 32
   */
  conditions?: Condition[]
}
