import type { Ctx } from '../../api/ctx.ts'
import { nodes } from '../../api/kinds.ts'
import type { Node } from '../../api/machine.ts'
import { eventOf, events } from '../runtime/controller/events.ts'
import type { NodeEvent, NodeWarnings } from '../shared/nodes.ts'
import type { WorkloadClients } from '../workload/clients.ts'
import { WorkloadBusy } from '../workload/turns.ts'

const mostTries = 10
/** Further events are dropped: a workload cluster may be slow for long, and each waits for its turn there. */
const mostUnderWay = 2_000

/**
 * Writes warnings on Nodes of workload clusters. Nothing depends on them: the user decides what the kubeconfig of a
 * cluster may do. So an event that is refused, or finds no cluster, is a line in the debug log and nothing more.
 */
export class NodeEvents implements NodeWarnings {
  readonly #workloads: Pick<WorkloadClients, 'with'>
  readonly #underWay = new Set<Promise<void>>()

  constructor(workloads: Pick<WorkloadClients, 'with'>) {
    this.#workloads = workloads
  }

  warn(event: NodeEvent, ctx: Ctx): void {
    const { node, reason } = event
    if (this.#underWay.size >= mostUnderWay) return
    const sent = this.#sendInTurn(event, ctx)
      .catch((error: unknown) => {
        ctx.log.debug('Going on without an event on the Node', { node, reason, error })
      })
      .finally(() => this.#underWay.delete(sent))
    this.#underWay.add(sent)
  }

  /** Resolves when all that were sent have arrived or failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  /** The cloud may take back many Nodes at once. An event that finds the cluster busy is sent again, up to a limit. */
  async #sendInTurn(event: NodeEvent, ctx: Ctx): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#send(event, ctx)
      } catch (error) {
        if (!(error instanceof WorkloadBusy) || tries === mostTries) throw error
        await ctx.clock.sleep(error.retryAfterMs, ctx.signal)
      }
    }
  }

  async #send({ cluster, node: name, providerID, reason, message }: NodeEvent, ctx: Ctx): Promise<void> {
    await this.#workloads.with(
      cluster,
      async (client, own) => {
        const { metadata, spec } = await client.get<Node>(nodes, { name }, own)
        if (spec?.providerID !== providerID) return
        const object = { apiVersion: 'v1', kind: nodes.kind, metadata }
        const frame = { component: 'cluster-api-provider-spot', namespace: 'default', now: ctx.clock.now() }
        await client.create(events, eventOf({ object, type: 'Warning', reason, message }, frame), own)
      },
      ctx,
    )
  }
}
