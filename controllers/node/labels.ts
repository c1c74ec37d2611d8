import type { Ctx } from '../../api/ctx.ts'
import { nodes } from '../../api/kinds.ts'
import { outOfService } from '../../api/labels.ts'
import { isNotFound } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { WorkloadClients } from '../workload/clients.ts'
import type { ClusterRef } from '../workload/secret.ts'
import type { Node } from './node.ts'

export interface NodeToLabel {
  readonly cluster: ClusterRef
  readonly node: string
  readonly providerID: string
  readonly labels: Readonly<Record<string, string>>
}

const fieldManager = 'cluster-api-provider-spot'
/** A Node that was labelled is looked at again after this long: somebody may have taken a label away. */
const freshForMs = 10 * 60_000

/**
 * Writes our labels to Nodes, each once, and only to the Node that says itself that it is this instance. A Node whose
 * instance runs is not out of service, whatever we said of it before.
 */
export class NodeLabeler {
  readonly #workloads: WorkloadClients
  #done = new Map<string, { labels: string; at: number }>()

  constructor(workloads: WorkloadClients) {
    this.#workloads = workloads
  }

  /** 'absent': there is no such Node (any more). Throws what `WorkloadClients.with` throws. */
  async label(wanted: NodeToLabel, ctx: Ctx): Promise<'done' | 'absent'> {
    const now = ctx.clock.monotonic()
    const labels = JSON.stringify(wanted.labels)
    const done = this.#done.get(wanted.providerID)
    if (done && done.labels === labels && now - done.at < freshForMs) return 'done'
    const found = await this.#workloads.with(
      wanted.cluster,
      async (client, own) => {
        const node = await nodeNamed(wanted.node, client, own)
        if (!node) return 'absent'
        if (node.spec?.providerID !== wanted.providerID) return 'done'
        await takeBackIntoService(node, client, own)
        if (carries(node, wanted.labels)) return 'done'
        const metadata = { name: wanted.node, labels: wanted.labels }
        const object = { apiVersion: 'v1', kind: 'Node', metadata }
        await client.apply(nodes, object, { fieldManager, force: true }, own)
        ctx.log.info('Node labelled', { node: wanted.node })
        return 'done'
      },
      ctx,
    )
    if (found === 'done') this.#done.set(wanted.providerID, { labels, at: now })
    return found
  }

  /** For an instance that is gone, or does not run now: what was done to its Node is to be looked at again. */
  forget(providerID: string): void {
    this.#done.delete(providerID)
  }
}

/** Its instance was off, and somebody has started it again: what we then said of it is no longer so. */
async function takeBackIntoService({ metadata, spec }: Node, client: KubeClient, ctx: Ctx): Promise<void> {
  const taints = spec?.taints ?? []
  const others = taints.filter(({ key, value }) => key !== outOfService.key || value !== outOfService.value)
  if (others.length === taints.length) return
  const { name, resourceVersion } = metadata
  const patch = { metadata: { resourceVersion }, spec: { taints: others } }
  await client.mergePatch(nodes, { name }, { patch }, ctx)
  ctx.log.info('Node taken back into service', { node: name })
}

async function nodeNamed(name: string, client: KubeClient, ctx: Ctx): Promise<Node | undefined> {
  try {
    return await client.get<Node>(nodes, { name }, ctx)
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined
    throw thrown
  }
}

function carries(node: Node, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([key, value]) => node.metadata.labels?.[key] === value)
}
