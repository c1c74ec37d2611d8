import type { Ctx } from '../../../api/ctx.ts'
import { nodeLabels } from '../../../api/labels.ts'
import type { Instance } from '../../../api/instance.ts'
import { offeringKey } from '../../../api/offering.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { isOfWorkload } from '../../workload/clients.ts'
import { WorkloadBusy } from '../../workload/turns.ts'
import type { Pass } from '../pass.ts'

/**
 * Cheap even for many machines: while a workload cluster is away one of them tries it, and the others are told at once.
 */
const lookAgainMs = 30_000

/**
 * The Node tells what it runs on. Core names the Node; we write our labels to it, and only if it is this instance's. A
 * workload cluster that cannot be reached, or that refuses us, fails no pass: its control plane's condition says so,
 * and the labels come when it is back.
 */
export async function label(pass: Pass, ctx: Ctx): Promise<Result> {
  const { instance, machine, cluster, cloud, deps } = pass
  const node = machine?.status?.nodeRef?.name
  if (!cluster || !node || !instance) return 'done'
  const { namespace, name } = cluster.metadata
  const providerID = cloud.providerIDOf(instance, name)
  if (instance.state !== 'running') {
    deps.nodes.forget(providerID)
    return 'done'
  }
  try {
    const labelled = await deps.nodes.label(
      { cluster: { namespace, name }, node, providerID, labels: labelsOf(instance) },
      ctx,
    )
    return labelled === 'absent' ? { requeueAfterMs: lookAgainMs, reason: 'the Node is not there' } : 'done'
  } catch (thrown) {
    if (!isOfWorkload(thrown)) throw thrown
    ctx.log.info('Node not labelled yet', { node, reason: thrown.message })
    return {
      requeueAfterMs: thrown instanceof WorkloadBusy ? thrown.retryAfterMs : lookAgainMs,
      reason: 'the workload cluster is asked again',
    }
  }
}

function labelsOf(instance: Instance): Record<string, string> {
  return {
    [nodeLabels.capacityType]: instance.capacityType,
    [nodeLabels.instanceType]: instance.instanceType,
    // A label ends with a letter or a digit, and not every instance has a zone.
    [nodeLabels.pool]: offeringKey(instance).replaceAll(':', '.').replace(/\.$/, ''),
    ...(instance.capacityType === 'Spot' ? { [nodeLabels.interruptible]: '' } : {}),
  }
}
