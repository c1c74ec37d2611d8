import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { componentsOf } from '../../config/components.ts'
import { bundleAgent } from '../../scripts/build.ts'
import type { Lab } from './lab.ts'
import type { Manifest } from './objects.ts'
import { startAgent } from './processes/agent.ts'
import { connectionOf } from './processes/management-cluster.ts'
import type { Program } from './processes/program.ts'
import { startReaper, type Reaper } from './reaper/reaper.ts'
import { tokenOf } from './tokens.ts'

const folder = path.join(import.meta.dirname, '..', '..', 'config', 'agent')

/** The names of its namespace and of its ServiceAccount. */
export const agentAccount = 'capspot-agent'

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

interface Parts {
  /** The objects of config/agent. */
  readonly applied: readonly Manifest[]
  readonly daemonSet: DaemonSet
  /** The bundle, in a folder of this run. */
  readonly entry: string
  readonly reaper: Reaper
}

/** Applies config/agent and builds the agent. */
export async function prepareAgents(lab: Lab): Promise<Parts> {
  const applied = await lab.apply(componentsOf(folder))
  const daemonSet = applied.find(({ kind }) => kind === 'DaemonSet') as DaemonSet | undefined
  if (!daemonSet) throw new Error('config/agent has no DaemonSet.')
  const reaper = await startReaper()
  return { applied, daemonSet, reaper, entry: await bundleAgent(path.join(reaper.folder, 'bundle')) }
}

/** The agent as its own process on each Node that gets one, with the account, role and policy of config/agent. */
export class Agents implements AsyncDisposable {
  readonly lab: Lab
  readonly entry: string
  readonly applied: readonly Manifest[]
  readonly #reaper: Reaper
  readonly #daemonSet: DaemonSet

  constructor(lab: Lab, { applied, daemonSet, entry, reaper }: Parts) {
    this.lab = lab
    this.entry = entry
    this.applied = applied
    this.#reaper = reaper
    this.#daemonSet = daemonSet
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
    const metadata = { name: `${agentAccount}-${randomBytes(3).toString('hex')}`, namespace: agentAccount }
    const spec = { ...this.#daemonSet.spec.template.spec, nodeName: node }
    const { apiVersion, kind, metadata: owner } = this.#daemonSet
    // A drain leaves the Pods of a DaemonSet.
    const ownerReferences = [{ apiVersion, kind, name: owner.name, uid: owner.uid, controller: true }]
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, ownerReferences }, spec }
    const [pod] = await lab.apply([object as Manifest])
    if (!pod) throw new Error('The Pod of the agent was not made.')
    const token = await tokenOf(agentAccount, { lab, namespace: agentAccount, bound: pod })
    return { pod: { ...pod, metadata: { ...pod.metadata, ...metadata } }, token }
  }

  /** The process of the agent in such a Pod. `metadata`: the URL of the metadata service of its machine. */
  async run(node: string, metadata: string): Promise<RunningAgent> {
    const { pod, token } = await this.podOn(node)
    const { server: url, ca = '' } = connectionOf(this.lab.cluster.admin)
    const server = { url, ca }
    const start = { entry: this.entry, node, pod: pod.metadata, token, server, metadata }
    return { program: await startAgent(start, this.#reaper), pod }
  }

  /** Ends the processes. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reaper.finish()
  }
}
