import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { expect } from 'vitest'
import { nodes } from '../../../api/kinds.ts'
import type { Node, NodeCondition } from '../../../api/machine.ts'
import { componentsOf } from '../../../config/components.ts'
import { bundleAgent } from '../../../scripts/build.ts'
import { createClient, type KubeClient } from '../../../controllers/runtime/client/client.ts'
import { eventually, type Patience } from '../../lab/eventually.ts'
import type { Lab } from '../../lab/lab.ts'
import type { Manifest } from '../../lab/objects.ts'
import { startAgent } from '../../lab/processes/agent.ts'
import { connectionOf } from '../../lab/processes/management-cluster.ts'
import type { Program } from '../../lab/processes/program.ts'
import { startReaper, type Reaper } from '../../lab/reaper/reaper.ts'
import { tokenOf } from './users.ts'

const folder = path.join(import.meta.dirname, '..', '..', '..', 'config', 'agent')
const account = 'capspot-agent'

interface DaemonSet extends Manifest {
  spec: { template: { spec: object } }
}

interface PodName {
  readonly namespace: string
  readonly name: string
}

export interface RunningAgent {
  readonly program: Program
  readonly pod: { readonly metadata: PodName }
}

/** The agent as its own process, with the account, role and policy of config/agent. */
export class AgentRig implements AsyncDisposable {
  readonly lab: Lab
  /** The bundle, in a folder of this run. */
  readonly entry: string
  readonly #reaper: Reaper
  readonly #daemonSet: DaemonSet

  private constructor(lab: Lab, reaper: Reaper, parts: { entry: string; daemonSet: DaemonSet }) {
    this.lab = lab
    this.#reaper = reaper
    this.entry = parts.entry
    this.#daemonSet = parts.daemonSet
  }

  static async start(lab: Lab): Promise<AgentRig> {
    const components = componentsOf(folder) as Manifest[]
    const applied = await lab.apply(components)
    const daemonSet = applied.find(({ kind }) => kind === 'DaemonSet') as DaemonSet | undefined
    if (!daemonSet) throw new Error('config/agent has no DaemonSet.')
    const reaper = await startReaper()
    return new AgentRig(lab, reaper, { entry: await bundleAgent(path.join(reaper.folder, 'bundle')), daemonSet })
  }

  /** A Node without a machine. */
  async node(providerID: string): Promise<string> {
    const name = `agent-node-${randomBytes(3).toString('hex')}`
    await this.lab.apply([{ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { providerID } } as Manifest])
    return name
  }

  /** The Pod that the DaemonSet would make on this Node, and its token. */
  async podOn(node: string): Promise<{ pod: Manifest & { metadata: PodName }; token: string }> {
    const { lab } = this
    const metadata = { name: `${account}-${randomBytes(3).toString('hex')}`, namespace: account }
    const spec = { ...this.#daemonSet.spec.template.spec, nodeName: node }
    const { apiVersion, kind, metadata: owner } = this.#daemonSet
    // A drain leaves the Pods of a DaemonSet.
    const ownerReferences = [{ apiVersion, kind, name: owner.name, uid: owner.uid, controller: true }]
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, ownerReferences }, spec }
    const [pod] = await lab.apply([object as Manifest])
    if (!pod) throw new Error('The Pod of the agent was not made.')
    const token = await tokenOf(account, { lab, namespace: account, bound: pod })
    return { pod: { ...pod, metadata: { ...pod.metadata, ...metadata } }, token }
  }

  /** As from a Secret, or from a TokenRequest without a Pod. */
  tokenWithoutPod(): Promise<string> {
    return tokenOf(account, { lab: this.lab, namespace: account })
  }

  /** What the holder of a token may do. */
  clientOf(token: string): KubeClient {
    const { server, ca } = connectionOf(this.lab.cluster.admin)
    return createClient({ server, ...(ca === undefined ? {} : { ca }), token: () => token }, { userAgent: account })
  }

  /** The process of the agent in such a Pod. */
  async run(node: string, metadata: string): Promise<RunningAgent> {
    const { pod, token } = await this.podOn(node)
    const { server: url, ca = '' } = connectionOf(this.lab.cluster.admin)
    const server = { url, ca }
    const start = { entry: this.entry, node, pod: pod.metadata, token, server, metadata }
    return { program: await startAgent(start, this.#reaper), pod }
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reaper.finish()
  }
}
