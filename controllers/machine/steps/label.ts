import type { Ctx } from '../../../api/ctx.ts'
import { shownOffering, type Instance, type InstanceState } from '../../../api/instance.ts'
import type { Offering } from '../../../api/offering.ts'
import { offeringOf } from '../../../api/rules/capacity/chosen.ts'
import { nodeNoticeOf } from '../../../api/rules/interruption/interrupted-machine.ts'
import { wantedWhileRunning } from '../../../api/rules/wanted-node.ts'
import type { Result } from '../../runtime/controller/result.ts'
import type { Nodes } from '../../shared/nodes.ts'
import { isOfWorkload } from '../../workload/clients.ts'
import { WorkloadBusy } from '../../workload/turns.ts'
import type { Pass } from '../pass.ts'

/** Cheap even for many machines: while a workload cluster is away, one machine tries it and the others fail at once. */
const lookAgainMs = 30_000

/**
 * Core names the Node; the Node gets our labels, which say what was bought, and the taint of a notice. A workload
 * cluster that cannot be reached, or that refuses us, fails no pass: the condition of its control plane says so, and
 * the labels come when it is back.
 */
export async function label(pass: Pass, ctx: Ctx): Promise<Result> {
  const { instance, machine, cluster, cloud, deps } = pass
  const node = machine?.status?.nodeRef?.name
  if (!cluster || !node || !instance) return 'done'
  const { namespace, name } = cluster.metadata
  const providerID = cloud.providerIDOf(instance, name)
  if (instance.state !== 'running') {
    noteNotRunning(instance.state, providerID, deps.nodes)
    return 'done'
  }
  try {
    const wanted = wantedWhileRunning(providerID, boughtBy(pass, instance), nodeNoticeOf(machine, instance.id))
    const written = await deps.nodes.write({ cluster: { namespace, name }, node, wanted }, ctx)
    return written === 'absent' ? { requeueAfterMs: lookAgainMs, reason: 'the Node is not there' } : 'done'
  } catch (thrown) {
    if (!isOfWorkload(thrown)) throw thrown
    if (thrown instanceof WorkloadBusy)
      return { requeueAfterMs: thrown.retryAfterMs, reason: 'its turn at the workload cluster comes later' }
    ctx.log.info('Node not labelled yet', { node, reason: thrown.message })
    return { requeueAfterMs: lookAgainMs, reason: 'the workload cluster is asked again' }
  }
}

/** An attempt names what was asked for, and that was bought. */
function boughtBy({ attempt }: Pass, instance: Instance): Offering {
  return shownOffering(instance) ?? (attempt && offeringOf(attempt)) ?? instance
}

/** The Node of an instance that is off may be taken out of service. One that still ends may write to its volumes. */
function noteNotRunning(state: InstanceState, providerID: string, nodes: Nodes): void {
  if (state === 'stopped' || state === 'terminated') nodes.shownOff(providerID)
  else nodes.forget(providerID)
}
