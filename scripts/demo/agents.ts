import { nodes } from '../../api/kinds.ts'
import type { Node } from '../../api/machine.ts'
import { agentAccount, Agents, prepareAgents } from '../../test/lab/agents.ts'
import { pods } from '../../test/simulators/kit/kubelets/pod.ts'
import type { Loss } from './loss.ts'
import { ways } from './notices.ts'
import type { Stage } from './stage.ts'
import { demand } from './steps.ts'

/** The node agent, on the Nodes whose cloud announces an end only inside the machine. */
export class NodeAgents implements AsyncDisposable {
  readonly #stage: Stage
  readonly #agents: Agents
  readonly #stack = new AsyncDisposableStack()
  readonly #nodes: string[] = []

  private constructor(stage: Stage, agents: Agents) {
    this.#stage = stage
    this.#agents = this.#stack.use(agents)
  }

  /** Installs it, as docs/agent.md says. Its process runs nowhere yet. */
  static async install(stage: Stage): Promise<NodeAgents> {
    return new NodeAgents(stage, new Agents(stage.lab, await prepareAgents(stage.lab)))
  }

  /** Runs it on the Node of this loss, if its cloud needs it. */
  async run({ site: { cloud }, id, node }: Loss): Promise<void> {
    const { metadata } = ways[cloud.name]
    if (!metadata) return
    const { clock } = this.#stage.lab.ctx
    const service = await metadata(id, { clock, takenBackAt: () => cloud.control.takenBackAt?.(id) })
    this.#stack.defer(() => service.close())
    await this.#agents.run(node, service.url)
    this.#nodes.push(node)
  }

  /** Each has written to its Node that nothing is announced. */
  async demandReady(): Promise<void> {
    const { client, ctx } = this.#stage.lab
    for (const name of this.#nodes) {
      const { status } = await client.get<Node>(nodes, { name }, ctx)
      const said = status?.conditions?.find(({ type }) => type === 'Terminating')?.status
      demand(said === 'False', `The agent of Node ${name} has set the condition Terminating to ${said}.`)
    }
  }

  /** Ends the processes and deletes all but the namespace, which only the namespace controller can delete. */
  async uninstall(): Promise<void> {
    const { lab } = this.#stage
    await this.#stack.disposeAsync()
    const { items } = await lab.client.list(pods, { namespace: agentAccount }, lab.ctx)
    // Their Nodes are gone, and here no garbage collector runs.
    for (const { metadata } of items) await lab.client.delete(pods, metadata, { gracePeriodSeconds: 0 }, lab.ctx)
    await lab.delete(this.#agents.applied.filter(({ kind }) => kind !== 'Namespace').toReversed())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}
