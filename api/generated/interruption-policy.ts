/* Made from crds/InterruptionPolicy.yaml by `npm run generate`. Edits here are lost. */
import type { Condition } from '../conditions.ts'
import type { ObjectMeta } from '../meta.ts'

/**
 * InterruptionPolicy says what becomes of the Machines of a Cluster that a cloud takes back, that stop, or that never come up. A Machine that no policy selects goes by the defaults of the fields below; of two policies that select one Machine the older wins.
 */
export interface InterruptionPolicy {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1'
  kind: 'InterruptionPolicy'
  metadata: ObjectMeta & { namespace: string }
  spec: InterruptionPolicySpec
  status?: InterruptionPolicyStatus
}
/**
 * Which Machines, and what to do about them.
 */
export interface InterruptionPolicySpec {
  /**
   * The Cluster in this namespace whose Machines it is about.
   */
  clusterName: string
  selector?: InterruptionPolicySelector
  /**
   * Not in effect yet: the manager does not read the clouds' notices. What to do when the cloud announces that it will take the instance. DeleteMachine drains the Node and removes the Machine before it goes; Remediate leaves that to the health check; ConditionOnly says it on the Machine and does nothing.
   */
  onNotice?: 'DeleteMachine' | 'Remediate' | 'ConditionOnly'
  /**
   * Not in effect yet: the manager does not read the clouds' notices. What to do when the cloud says that the instance is more likely than others to be taken.
   */
  onRebalance?: 'DeleteMachine' | 'Remediate' | 'ConditionOnly'
  /**
   * Not in effect yet: the manager does not read the clouds' notices. When the replacement of a Machine that is deleted on a notice is made. Ahead makes it at once, beside the one that goes; Afterwards waits until that is gone.
   */
  replacement?: 'Ahead' | 'Afterwards'
  /**
   * Not in effect yet: the manager does not read the clouds' notices. How many Machines may exist beyond the replicas at once because of replacement Ahead. Left out, there is no bound.
   */
  maxAhead?: number
  backoff?: InterruptionPolicyBackoff
  /**
   * An instance that ends sooner than this after it began to run counts as a failure, and its replacement waits; one that served for longer is replaced at once. 0 replaces every one at once.
   */
  minHealthySeconds?: number
  /**
   * How long after its instance began to run a Machine may be without a Node before that counts as a failure. 0 waits for ever.
   */
  nodeStartupSeconds?: number
  /**
   * Managed keeps a MachineHealthCheck that removes the Machines that are due. None leaves that to one of your own: it finds them by the label spot.cluster.x-k8s.io/remediation-due and the condition SpotRemediationDue.
   */
  healthCheck?: 'Managed' | 'None'
}
/**
 * Which of the Machines, by their labels. Empty or left out, all of them.
 */
export interface InterruptionPolicySelector {
  /**
   * Labels that a Machine has to carry, each with this value.
   */
  matchLabels?: {
    [k: string]: string
  }
  /**
   * What else has to be so of its labels; all of it.
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
   * How the label has to relate to the values.
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
 * How long to wait before a Machine that could not be launched, or that ended too soon, is replaced. The wait doubles with each failure of the same offering.
 */
export interface InterruptionPolicyBackoff {
  /**
   * The wait after the first failure.
   */
  initialSeconds?: number
  /**
   * No wait is longer.
   */
  maxSeconds?: number
}
/**
 * What the provider says of it; lost and built anew when the cluster is moved.
 */
export interface InterruptionPolicyStatus {
  /**
   * What is so, since when and why. InEffect is True while each machine that the policy selects goes by it.
   *
   * @maxItems 32
   */
  conditions?: Condition[]
}
