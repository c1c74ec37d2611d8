import type { Ctx } from '../../api/ctx.ts'
import { nodes } from '../../api/kinds.ts'
import type { Node } from '../../api/machine.ts'
import { nodePatch, type WantedNode } from '../../api/rules/wanted-node.ts'
import { RecentMap } from '../../providers/shared/recent-map.ts'
import { isConflict, isNotFound } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { Nodes, NodeWrite } from '../shared/nodes.ts'
import type { WorkloadClients } from '../workload/clients.ts'
import { clusterKey } from '../workload/secret.ts'
import { WorkloadBusy } from '../workload/turns.ts'
import { NodeWishes, type ClusterWishes, type Wish } from './node-wishes.ts'

/** A Node that was written is read again after this time: somebody may have removed a label. */
const freshForMs = 10 * 60_000
/** The kubelet and controllers write to Nodes as well, but not all the time. */
const mostReads = 3
/** More instances than are off at once. Only a removed finalizer leaves one behind. */
const mostOff = 10_000
/** As many Nodes are written at once in a turn. */
const atOnce = 16
/** In a turn no further write begins after this time: others wait for their turns. */
const turnMs = 150

type Found = Awaited<ReturnType<Nodes['write']>>

/**
 * The only code that changes Nodes. It reads the Node and writes what is missing in one patch. The patch fails if the
 * Node has changed since, so a taint of another writer is never lost; then the Node is read again.
 *
 * A workload cluster is used in turns. In its turn a caller also writes what others wanted meanwhile, so that a notice
 * for a thousand Nodes does not need a thousand turns. The others come back and find their Node written.
 */
export class NodeWriter implements Nodes {
  readonly #workloads: Pick<WorkloadClients, 'with'>
  /** By providerID of an instance that runs: the labels and taints of its Node at the last read. */
  readonly #written = new Map<string, { wanted: string; at: number }>()
  /** The providerIDs of instances that the cloud has shown as off. */
  readonly #off = new RecentMap<true>(mostOff)
  readonly #wishes = new NodeWishes()

  constructor(workloads: Pick<WorkloadClients, 'with'>) {
    this.#workloads = workloads
  }

  async write({ cluster, node, wanted }: NodeWrite, ctx: Ctx): Promise<Found> {
    const now = ctx.clock.monotonic()
    if (!wanted.isOutOfService) this.#off.delete(wanted.providerID)
    else if (!this.#off.has(wanted.providerID)) return 'unproven'
    const wishes = this.#wishes.of(clusterKey(cluster))
    const own = { node, wanted }
    if (this.#isFresh(wanted, now)) {
      wishes.forget(wanted.providerID)
      return 'done'
    }
    wishes.add(own, now)
    if (wishes.isTaken) throw new WorkloadBusy(wishes.patienceMs)
    wishes.isTaken = true
    try {
      return await this.#workloads.with(cluster, (client, it) => this.#turn(own, wishes, client, it), ctx)
    } finally {
      wishes.isTaken = false
      this.#wishes.sweep(ctx.clock.monotonic())
    }
  }

  shownOff(providerID: string): void {
    this.#written.delete(providerID)
    // What is wanted of an instance that runs is wanted no more.
    if (!this.#off.has(providerID)) this.#wishes.forget(providerID)
    this.#off.set(providerID, true)
  }

  forget(providerID: string): void {
    this.#written.delete(providerID)
    this.#off.delete(providerID)
    this.#wishes.forget(providerID)
  }

  /** Only the write of the caller may fail: who wanted another one comes back. */
  async #turn(own: Wish, wishes: ClusterWishes, client: KubeClient, ctx: Ctx): Promise<Found> {
    const { clock, log } = ctx
    const until = clock.monotonic() + turnMs
    const write = (wish: Wish) => wishes.during(wish, () => this.#write(wish, client, ctx))
    const beside = async () => {
      for (let now = clock.monotonic(); now < until; now = clock.monotonic()) {
        const next = wishes.next(now)
        if (!next) return
        await write(next).catch((error: unknown) => log.debug('A Node is written later', { node: next.node, error }))
      }
    }
    const written = write(own)
    await Promise.allSettled([written, ...Array.from({ length: atOnce - 1 }, beside)])
    return written
  }

  async #write({ node, wanted }: Wish, client: KubeClient, ctx: Ctx): Promise<Found> {
    // It may run again by now.
    if (wanted.isOutOfService && !this.#off.has(wanted.providerID)) return 'unproven'
    const found = await writeNode(node, wanted, client, ctx)
    if (found === 'done') this.#note(wanted, ctx.clock.monotonic())
    return found
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
