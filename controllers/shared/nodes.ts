import type { Ctx } from '../../api/ctx.ts'
import type { EventReason } from '../../api/reasons.ts'
import type { WantedNode } from '../../api/rules/wanted-node.ts'
import type { ClusterRef } from '../workload/secret.ts'

export interface NodeWrite {
  readonly cluster: ClusterRef
  /** The Node's name, as core has written it to the Machine (`nodeRef`). */
  readonly node: string
  readonly wanted: WantedNode
}

/** The port to the one writer of Nodes, `controllers/node`. */
export interface Nodes {
  /**
   * Makes the Node as wanted, if it is still the Node of this instance. 'absent': there is no such Node. 'unproven': no
   * Node is taken out of service before `shownOff`. Throws as `WorkloadClients.with` does.
   */
  write(write: NodeWrite, ctx: Ctx): Promise<'done' | 'absent' | 'unproven'>
  /**
   * The cloud has shown this process the instance as off. What an object says of that proves nothing: other users than
   * the manager may write its status and its providerID.
   */
  shownOff(providerID: string): void
  /** The instance is gone or does not run. When it runs again, its Node is read again. */
  forget(providerID: string): void
}

export interface NodeEvent {
  readonly cluster: ClusterRef
  readonly node: string
  /** The event is written only if the Node has this providerID. */
  readonly providerID: string
  readonly reason: EventReason
  /** A sentence for people. */
  readonly message: string
}

/** Warnings for people who see the Nodes of a workload cluster, and perhaps none of our objects. */
export interface NodeWarnings {
  warn(event: NodeEvent, ctx: Ctx): void
}
