import type { Ctx } from '../../api/ctx.ts'
import { nodes } from '../../api/kinds.ts'
import { isNotFound } from '../runtime/api-error.ts'
import type { KubeClient } from '../runtime/client.ts'
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

/** Writes our labels to Nodes, each once, and only to the Node that says itself that it is this instance. */
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
      async (client) => {
        const node = await nodeNamed(wanted.node, client, ctx)
        if (!node) return 'absent'
        if (node.spec?.providerID !== wanted.providerID || carries(node, wanted.labels)) return 'done'
        const metadata = { name: wanted.node, labels: wanted.labels }
        const object = { apiVersion: 'v1', kind: 'Node', metadata }
        await client.apply(nodes, object, { fieldManager, force: true }, ctx)
        ctx.log.info('Node labelled', { node: wanted.node })
        return 'done'
      },
      ctx,
    )
    if (found === 'done') this.#done.set(wanted.providerID, { labels, at: now })
    return found
  }

  /** For an instance that is gone: its Node needs no more looking after. */
  forget(providerID: string): void {
    this.#done.delete(providerID)
  }
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
