import type { Ctx } from '../../api/ctx.ts'
import { nodes } from '../../api/kinds.ts'
import { isPaused, ownerNamed, type Cluster, type InfraMachine, type Machine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { isOff } from '../../api/rules/outcome.ts'
import { isNotFound } from '../runtime/api-error.ts'
import type { Cache } from '../runtime/cache.ts'
import type { Next } from '../runtime/next.ts'
import type { WorkloadClients } from '../workload/clients.ts'

export interface VolumeDeps {
  readonly machines: Cache<Machine>
  readonly clusters: Cache<Cluster>
  readonly infraMachines: Cache<InfraMachine>
  readonly workloads: Pick<WorkloadClients, 'with'>
}

interface Taint {
  key: string
  value?: string
  effect: string
}

interface Node extends KubeObject {
  spec?: { providerID?: string; taints?: Taint[] }
}

/** Kubernetes then ends the Node's pods and detaches its volumes at once, where it would wait for six minutes. */
const outOfService: Taint = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }

const lookAgainMs = 15_000

/**
 * Says to the workload cluster that a Node is off for good. Only of an instance that the cloud shows as off, for what
 * still runs still writes; and only of the Node that says itself that it is this instance. Apart from all else that is
 * done for a machine: a workload cluster that does not answer must hold nothing up.
 */
export async function releaseVolumes(key: string, deps: VolumeDeps, ctx: Ctx): Promise<Next> {
  const infra = deps.infraMachines.get(key)
  const owner = infra && ownerNamed(infra, 'Machine')
  const machine = owner === undefined ? undefined : deps.machines.get(`${infra?.metadata.namespace}/${owner}`)
  const name = machine?.status?.nodeRef?.name
  if (!infra || !machine || name === undefined || !isOff(infra)) return 'done'
  const { providerID } = infra.spec
  const { namespace } = machine.metadata
  const cluster = { namespace, name: machine.spec.clusterName }
  const known = deps.clusters.get(`${namespace}/${cluster.name}`)
  if (!known || providerID === undefined || isPaused(machine, known)) return 'done'
  try {
    const isNew = await deps.workloads.with(cluster, (client) => taint({ name, providerID }, client, ctx), ctx)
    if (isNew) ctx.log.info('Node marked out of service', { node: name })
    return 'done'
  } catch (error) {
    if (isNotFound(error)) return 'done'
    ctx.log.debug('The workload cluster was not told that a Node is off', { node: name, error })
    return { after: lookAgainMs, why: 'the workload cluster is told again' }
  }
}

type WorkloadClient = Parameters<Parameters<WorkloadClients['with']>[1]>[0]

async function taint(
  { name, providerID }: { name: string; providerID: string },
  client: WorkloadClient,
  ctx: Ctx,
): Promise<boolean> {
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
