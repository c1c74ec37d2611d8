import type { Ctx } from '../../api/ctx.ts'
import { nodes } from '../../api/kinds.ts'
import type { EventReason } from '../../api/reasons.ts'
import { eventOf, events } from '../runtime/controller/events.ts'
import type { WorkloadClients } from '../workload/clients.ts'
import type { ClusterRef } from '../workload/secret.ts'
import { WorkloadBusy } from '../workload/turns.ts'
import type { Node } from './node.ts'

export interface NodeEvent {
  readonly cluster: ClusterRef
  readonly node: string
  /** Only the Node that says itself that it is this instance is spoken of. */
  readonly providerID: string
  readonly reason: EventReason
  /** A sentence for people. */
  readonly message: string
}

const mostTries = 10

/**
 * Warnings on Nodes of workload clusters. Sends and forgets: what the kubeconfig of a cluster may do is its user's to
 * say, so an event that is refused, or finds no cluster, is a line in the debug log and nothing more.
 */
export class NodeEvents {
  readonly #workloads: Pick<WorkloadClients, 'with'>
  readonly #underWay = new Set<Promise<void>>()

  constructor(workloads: Pick<WorkloadClients, 'with'>) {
    this.#workloads = workloads
  }

  warn(event: NodeEvent, ctx: Ctx): void {
    const { node, reason } = event
    const sent = this.#sendInTurn(event, ctx)
      .catch((error: unknown) => {
        ctx.log.debug('Going on without an event on the Node', { node, reason, error })
      })
      .finally(() => this.#underWay.delete(sent))
    this.#underWay.add(sent)
  }

  /** When all that were sent have arrived or failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  /** Many Nodes of a cluster may be taken back at once: who is sent away comes back, and not for ever. */
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
