import { readAttempt } from '../../api/attempt.ts'
import type { Ctx } from '../../api/ctx.ts'
import { nodes } from '../../api/kinds.ts'
import { isPaused, ownerNamed, type Cluster, type InfraMachine, type Machine } from '../../api/machine.ts'
import { annotations, outOfService } from '../../api/labels.ts'
import { isOff } from '../../api/rules/outcome.ts'
import { isNotFound } from '../runtime/client/api-error.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { Node } from './node.ts'
import type { Result } from '../runtime/controller/result.ts'
import type { WorkloadClients } from '../workload/clients.ts'
import type { ClusterRef } from '../workload/secret.ts'
import { WorkloadBusy } from '../workload/turns.ts'

export interface VolumeDeps {
  readonly machines: Cache<Machine>
  readonly clusters: Cache<Cluster>
  readonly infraMachines: Cache<InfraMachine>
  readonly workloads: Pick<WorkloadClients, 'with'>
}

const lookAgainMs = 15_000

/**
 * Says to the workload cluster that a Node is off for good. Only of an instance that the cloud shows as off, for what
 * still runs still writes; and only of the Node that says itself that it is this instance. Apart from all else that is
 * done for a machine: a workload cluster that does not answer must hold nothing up.
 */
export async function releaseVolumes(key: string, deps: VolumeDeps, ctx: Ctx): Promise<Result> {
  const off = nodeThatIsOff(key, deps)
  if (!off) return 'done'
  const { cluster, ...node } = off
  try {
    const isNew = await deps.workloads.with(cluster, (client, own) => taint(node, client, own), ctx)
    if (isNew) ctx.log.info('Node marked out of service', { node: node.name })
    return 'done'
  } catch (error) {
    if (isNotFound(error)) return 'done'
    ctx.log.debug('The workload cluster was not told that a Node is off', { node: node.name, error })
    return {
      requeueAfterMs: error instanceof WorkloadBusy ? error.retryAfterMs : lookAgainMs,
      reason: 'the workload cluster is told again',
    }
  }
}

interface NodeRef {
  readonly name: string
  readonly providerID: string
}

function nodeThatIsOff(
  key: string,
  { infraMachines, machines, clusters }: VolumeDeps,
): (NodeRef & { cluster: ClusterRef }) | undefined {
  const infra = infraMachines.get(key)
  if (infra?.spec.providerID === undefined || !isOff(infra)) return undefined
  const { namespace } = infra.metadata
  const machine = machines.get(`${namespace}/${ownerNamed(infra, 'Machine')}`)
  const name = machine?.status?.nodeRef?.name
  if (!machine || name === undefined) return undefined
  const cluster = { namespace, name: machine.spec.clusterName }
  const known = clusters.get(`${namespace}/${cluster.name}`)
  if (!known || isPaused(machine, known) || !wasLaunchedFor(known, infra)) return undefined
  return { cluster, name, providerID: infra.spec.providerID }
}

/**
 * Status and providerID can be written by whoever may write the object; the attempt is guarded by a policy. So a tenant
 * cannot have the Node of another Cluster in its namespace marked.
 */
function wasLaunchedFor(cluster: Cluster, infra: InfraMachine): boolean {
  const ownerId = cluster.metadata.annotations?.[annotations.ownerId]
  const reading = ownerId === undefined ? undefined : readAttempt(infra, ownerId)
  return reading?.is === 'ours' && reading.attempt.handle !== undefined
}

async function taint({ name, providerID }: NodeRef, client: KubeClient, ctx: Ctx): Promise<boolean> {
  const { metadata, spec } = await client.get<Node>(nodes, { name }, ctx)
  const taints = spec?.taints ?? []
  if (spec?.providerID !== providerID || taints.some(({ key }) => key === outOfService.key)) return false
  const patch = {
    metadata: { resourceVersion: metadata.resourceVersion },
    spec: { taints: [...taints, outOfService] },
  }
  await client.mergePatch(nodes, { name }, { patch }, ctx)
  return true
}
