import { expect } from 'vitest'
import { nodes } from '../../../api/kinds.ts'
import type { Node, NodeCondition } from '../../../api/machine.ts'
import { createClient, type KubeClient } from '../../../controllers/runtime/client/client.ts'
import { agentAccount, Agents, prepareAgents } from '../../lab/agents.ts'
import { eventually, type Patience } from '../../lab/eventually.ts'
import type { Lab } from '../../lab/lab.ts'
import { connectionOf } from '../../lab/processes/management-cluster.ts'
import { tokenOf } from '../../lab/tokens.ts'

/** The agents of a lab, and what the tests ask of their Nodes. */
export class AgentRig extends Agents {
  static async start(lab: Lab): Promise<AgentRig> {
    return new AgentRig(lab, await prepareAgents(lab))
  }

  /** As from a Secret, or from a TokenRequest without a Pod. */
  tokenWithoutPod(): Promise<string> {
    return tokenOf(agentAccount, { lab: this.lab, namespace: agentAccount })
  }

  /** What the holder of a token may do. */
  clientOf(token: string): KubeClient {
    const { server, ca } = connectionOf(this.lab.cluster.admin)
    return createClient(
      { server, ...(ca === undefined ? {} : { ca }), token: () => token },
      { userAgent: agentAccount },
    )
  }

  async conditions(node: string): Promise<readonly NodeCondition[]> {
    const { status } = await this.lab.client.get<Node>(nodes, { name: node }, this.lab.ctx)
    return status?.conditions ?? []
  }

  /** Waits until the Node shows this status for the condition, and returns it. */
  condition(node: string, type: string, status: string, patience: Patience = { everyMs: 20 }): Promise<NodeCondition> {
    return eventually(
      `${type} of ${node} is ${status}`,
      async () => {
        const found = (await this.conditions(node)).find((one) => one.type === type)
        expect(found?.status).toBe(status)
        return found as NodeCondition
      },
      patience,
    )
  }
}
