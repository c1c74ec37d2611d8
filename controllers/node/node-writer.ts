import type { Ctx } from '../../api/ctx.ts'
import { nodes } from '../../api/kinds.ts'
import type { Node } from '../../api/machine.ts'
import { nodePatch, type WantedNode } from '../../api/rules/wanted-node.ts'
import { RecentMap } from '../../providers/shared/recent-map.ts'
import { isConflict, isNotFound } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { Nodes, NodeWrite } from '../shared/nodes.ts'
import type { WorkloadClients } from '../workload/clients.ts'

/** A Node that was written is read again after this time: somebody may have removed a label. */
const freshForMs = 10 * 60_000
/** The kubelet and controllers write to Nodes as well, but not all the time. */
const mostReads = 3
/** More instances than are off at once. Only a removed finalizer leaves one behind. */
const mostOff = 10_000

/**
 * The only code that changes Nodes. It reads the Node and writes what is missing in one patch. The patch fails if the
 * Node has changed since, so a taint of another writer is never lost; then the Node is read again.
 */
export class NodeWriter implements Nodes {
  readonly #workloads: Pick<WorkloadClients, 'with'>
  /** By providerID of an instance that runs: the labels and taints of its Node at the last read. */
  readonly #written = new Map<string, { wanted: string; at: number }>()
  /** The providerIDs of instances that the cloud has shown as off. */
  readonly #off = new RecentMap<true>(mostOff)

  constructor(workloads: Pick<WorkloadClients, 'with'>) {
    this.#workloads = workloads
  }

  async write({ cluster, node, wanted }: NodeWrite, ctx: Ctx): Promise<'done' | 'absent' | 'unproven'> {
    const now = ctx.clock.monotonic()
    if (!wanted.isOutOfService) this.#off.delete(wanted.providerID)
    else if (!this.#off.has(wanted.providerID)) return 'unproven'
    if (this.#isFresh(wanted, now)) return 'done'
    const found = await this.#workloads.with(cluster, (client, own) => writeNode(node, wanted, client, own), ctx)
    if (found === 'done') this.#note(wanted, now)
    return found
  }

  shownOff(providerID: string): void {
    this.#written.delete(providerID)
    this.#off.set(providerID, true)
  }

  forget(providerID: string): void {
    this.#written.delete(providerID)
    this.#off.delete(providerID)
  }

  #isFresh(wanted: WantedNode, now: number): boolean {
    const written = this.#written.get(wanted.providerID)
    return written?.wanted === JSON.stringify(wanted) && now - written.at < freshForMs
  }

  /** An instance that is off does not stay long, and no later call would forget it. */
  #note(wanted: WantedNode, at: number): void {
    if (wanted.isOutOfService) this.#written.delete(wanted.providerID)
    else this.#written.set(wanted.providerID, { wanted: JSON.stringify(wanted), at })
  }
}

async function writeNode(name: string, wanted: WantedNode, client: KubeClient, ctx: Ctx): Promise<'done' | 'absent'> {
  for (let reads = 1; ; reads++) {
    try {
      const patch = nodePatch(await client.get<Node>(nodes, { name }, ctx), wanted)
      if (!patch) return 'done'
      await client.mergePatch(nodes, { name }, { patch }, ctx)
      ctx.log.info('Node patched', { node: name, labels: patch.metadata.labels, taints: patch.spec?.taints })
      return 'done'
    } catch (thrown) {
      if (isNotFound(thrown)) return 'absent'
      if (!isConflict(thrown) || reads === mostReads) throw thrown
    }
  }
}
