import type { Ctx } from '../../../api/ctx.ts'
import { nodeLabels } from '../../../api/labels.ts'
import type { Instance } from '../../../providers/instances.ts'
import { poolOf } from '../../../providers/offering.ts'
import type { Next } from '../../runtime/next.ts'
import type { Pass } from '../pass.ts'

/** The Node tells what it runs on. Core names the Node; we write our labels to it, and only if it is this instance's. */
export async function label(pass: Pass, ctx: Ctx): Promise<Next> {
  const { instance, machine, cluster, cloud, deps } = pass
  const node = machine?.status?.nodeRef?.name
  if (!cluster || !node || instance?.state !== 'running') return 'done'
  const { namespace, name } = cluster.metadata
  await deps.nodes.label(
    { cluster: { namespace, name }, node, providerID: cloud.providerIDOf(instance, name), labels: labelsOf(instance) },
    ctx,
  )
  return 'done'
}

function labelsOf(instance: Instance): Record<string, string> {
  return {
    [nodeLabels.capacityType]: instance.capacityType,
    [nodeLabels.instanceType]: instance.instanceType,
    // A label ends with a letter or a digit, and not every instance has a zone.
    [nodeLabels.pool]: poolOf(instance).replaceAll(':', '.').replace(/\.$/, ''),
    ...(instance.capacityType === 'Spot' ? { [nodeLabels.interruptible]: '' } : {}),
  }
}
