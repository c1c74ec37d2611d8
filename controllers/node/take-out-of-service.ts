import { readAttempt } from '../../api/attempt.ts'
import type { Ctx } from '../../api/ctx.ts'
import { isPaused, ownerNamed, type Cluster, type InfraMachine, type Machine } from '../../api/machine.ts'
import { annotations } from '../../api/labels.ts'
import { isOff } from '../../api/rules/outcome.ts'
import { wantedWhileOff } from '../../api/rules/wanted-node.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import type { Result } from '../runtime/controller/result.ts'
import type { Nodes, NodeWrite } from '../shared/nodes.ts'
import { WorkloadBusy } from '../workload/turns.ts'

export interface OffNodeDeps {
  readonly machines: Cache<Machine>
  readonly clusters: Cache<Cluster>
  readonly infraMachines: Cache<InfraMachine>
  readonly nodes: Pick<Nodes, 'write'>
}

const lookAgainMs = 15_000

/**
 * Tells the workload cluster that a Node is off, so that its volumes are released. It has a controller of its own:
 * nothing else that is done for a machine may wait for a workload cluster that does not answer.
 */
export async function takeOutOfService(key: string, deps: OffNodeDeps, ctx: Ctx): Promise<Result> {
  const off = nodeThatIsOff(key, deps)
  if (!off) return 'done'
  try {
    const written = await deps.nodes.write(off, ctx)
    return written === 'unproven'
      ? { requeueAfterMs: lookAgainMs, reason: 'this process has not seen the instance off yet' }
      : 'done'
  } catch (error) {
    ctx.log.debug('The workload cluster was not told that a Node is off', { node: off.node, error })
    return {
      requeueAfterMs: error instanceof WorkloadBusy ? error.retryAfterMs : lookAgainMs,
      reason: 'the workload cluster is told again',
    }
  }
}

/**
 * Undefined unless the Machine that owns the object names the Node, and the object says that its instance is off. The
 * writer of Nodes knows whether the cloud has shown that.
 */
function nodeThatIsOff(key: string, { infraMachines, machines, clusters }: OffNodeDeps): NodeWrite | undefined {
  const infra = infraMachines.get(key)
  if (infra?.spec.providerID === undefined || !isOff(infra)) return undefined
  const { namespace } = infra.metadata
  const machine = machines.get(`${namespace}/${ownerNamed(infra, 'Machine')}`)
  const node = machine?.status?.nodeRef?.name
  if (!machine || node === undefined) return undefined
  const cluster = { namespace, name: machine.spec.clusterName }
  const known = clusters.get(`${namespace}/${cluster.name}`)
  if (!known || isPaused(machine, known) || !wasLaunchedFor(known, infra)) return undefined
  return { cluster, node, wanted: wantedWhileOff(infra.spec.providerID) }
}

/**
 * Anybody who may write the object can write its status and providerID; an admission policy guards the attempt. So a
 * tenant cannot have the Node of another Cluster in its namespace taken out of service.
 */
function wasLaunchedFor(cluster: Cluster, infra: InfraMachine): boolean {
  const ownerId = cluster.metadata.annotations?.[annotations.ownerId]
  const reading = ownerId === undefined ? undefined : readAttempt(infra, ownerId)
  return reading?.is === 'ours' && reading.attempt.handle !== undefined
}
