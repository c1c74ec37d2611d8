import { setCondition, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import { interruptionPolicies } from '../../api/kinds.ts'
import type { Cluster, Machine } from '../../api/machine.ts'
import type { PolicyReason } from '../../api/reasons.ts'
import { overlapOf } from '../../api/rules/policy.ts'
import { patchStatus } from '../runtime/controller/patch-status.ts'
import type { KubeClient } from '../runtime/client/client.ts'

export interface PolicyScene {
  /** The oldest first. */
  readonly policies: readonly InterruptionPolicy[]
  readonly cluster: Cluster | undefined
  readonly machines: readonly Machine[]
}

/** Writes to each policy whether it is in effect. */
export async function reportPolicies(scene: PolicyScene, client: KubeClient, ctx: Ctx): Promise<void> {
  for (const policy of scene.policies) {
    const condition = {
      type: 'InEffect',
      ...verdictOf(policy, scene),
      observedGeneration: policy.metadata.generation ?? 0,
    }
    const conditions = setCondition(policy.status?.conditions ?? [], condition, ctx.clock.now())
    await patchStatus({ client, resource: interruptionPolicies, object: policy, status: { conditions } }, ctx)
  }
}

function verdictOf(policy: InterruptionPolicy, { policies, cluster, machines }: PolicyScene): Verdict<PolicyReason> {
  if (!cluster) {
    const message = `This namespace has no Cluster ${policy.spec.clusterName}. Correct spec.clusterName, or create the Cluster.`
    return { status: 'Unknown', reason: 'WaitingForCluster', message }
  }
  const overlap = overlapOf(policy, policies, machines)
  if (!overlap) return { status: 'True', reason: 'InEffect', message: '' }
  const message = `The older InterruptionPolicy ${overlap.older} applies to Machine ${overlap.machine}, which this policy selects too. Narrow spec.selector of one of them.`
  return { status: 'False', reason: 'Overlapped', message }
}
