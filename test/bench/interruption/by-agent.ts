import { setTimeout as sleep } from 'node:timers/promises'
import { nodes } from '../../../api/kinds.ts'
import type { Node } from '../../../api/machine.ts'
import { createCache } from '../../../controllers/runtime/cache/cache.ts'
import { Agents, prepareAgents, type RunningAgent } from '../../lab/agents.ts'
import type { LabCloud } from '../../lab/clouds/cloud.ts'
import { eventually } from '../../lab/eventually.ts'
import type { Lab } from '../../lab/lab.ts'
import { startAzureMetadata } from '../../simulators/metadata/azure.ts'
import { startEc2Metadata } from '../../simulators/metadata/ec2.ts'
import { startGceMetadata } from '../../simulators/metadata/gce.ts'
import type { Figures } from '../bench.ts'
import { costOf, stage, startManager } from '../deployment.ts'
import type { BenchOptions } from '../options.ts'
import { spreadOf, type Spread } from '../spread-of.ts'
import { applyCluster, available, instanceOf, podsOn } from './setting.ts'
import { MachineWatch, type Watched } from './watch.ts'

/** Milliseconds; each as p50 and p99. */
export interface AgentFigures extends Spread<'noticeToCondition'>, Spread<'conditionToDeleted'> {}

/** A small computer does not hold as many processes as a cluster has Nodes. */
const atATime = 5
const everyMs = 2_000
/** What the clouds give. */
const noticeMs = { aws: 120_000, azure: 30_000, gcp: 30_000, ibm: 0 }
/** So that no poll hears of a notice before the agent has told it. */
const pollInterval = '600s'
const withinMs = 300_000

/** Each Machine gets its notice while an agent runs on its Node: from there to the condition and to the delete. */
export async function benchByAgent(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  const { cloud, namespace, workers } = await stage(lab, options)
  const watch = new MachineWatch(lab, namespace)
  const seen = new Conditions(lab)
  await startManager(lab, entry, { args: ['--poll-interval', pollInterval] })
  await applyCluster(lab, { cloud, namespace }, { cluster: 'agent', workers })
  const before = await available(watch, { count: workers, timeoutMs: withinMs })
  await podsOn(lab, namespace, before)
  await using agents = new Agents(lab, await prepareAgents(lab))
  const told: { readonly at: number; readonly machine: Watched }[] = []
  for (let first = 0; first < workers; first += atATime) {
    const machines = before.slice(first, first + atATime)
    await using some = await Some.start({ agents, cloud, seen }, machines)
    for (const machine of machines) {
      told.push({ machine, at: lab.ctx.clock.now() })
      cloud.control.interrupt(instanceOf(machine), noticeMs[cloud.name])
      await sleep(everyMs)
    }
    await eventually('their Machines are deleted', () => some.done(), { timeoutMs: 60_000 })
  }
  const toCondition = told.map(({ machine: { node = '' }, at }) => (seen.trueAt.get(node) ?? NaN) - at)
  const toDeleted = told.map(
    ({ machine: { node = '', deletedAt = NaN } }) => deletedAt - (seen.trueAt.get(node) ?? NaN),
  )
  return {
    ...spreadOf('noticeToCondition', toCondition),
    ...spreadOf('conditionToDeleted', toDeleted),
    ...(await costOf(lab, cloud)),
  }
}

interface Around {
  readonly agents: Agents
  readonly cloud: LabCloud
  readonly seen: Conditions
}

/** Agents on the Nodes of some Machines, each with the metadata of its instance. */
class Some implements AsyncDisposable {
  readonly #seen: Conditions
  readonly #machines: readonly Watched[]
  readonly #running: { readonly agent: RunningAgent; readonly metadata: { close(): Promise<void> } }[] = []

  private constructor(seen: Conditions, machines: readonly Watched[]) {
    this.#seen = seen
    this.#machines = machines
  }

  /** They have said that nothing is announced. */
  static async start({ agents, cloud, seen }: Around, machines: readonly Watched[]): Promise<Some> {
    const some = new Some(seen, machines)
    for (const machine of machines) {
      const metadata = await metadataOf(agents.lab, cloud, instanceOf(machine))
      some.#running.push({ metadata, agent: await agents.run(machine.node ?? '', metadata.url) })
    }
    await eventually('the agents run', () => some.#each(({ node = '' }) => seen.falseAt.has(node)), { everyMs: 50 })
    return some
  }

  /** Throws until each Node has the condition and each Machine is deleted. */
  done(): void {
    this.#each(({ node = '', deletedAt }) => deletedAt !== undefined && this.#seen.trueAt.has(node))
  }

  #each(isDone: (machine: Watched) => boolean): void {
    const done = this.#machines.filter(isDone).length
    if (done !== this.#machines.length) throw new Error(`${done} of ${this.#machines.length}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map(({ agent }) => agent.program.stop()))
    await Promise.all(this.#running.map(({ metadata }) => metadata.close()))
  }
}

function metadataOf({ ctx }: Lab, { name, control }: LabCloud, id: string) {
  const options = { clock: ctx.clock, takenBackAt: () => control.takenBackAt?.(id) }
  if (name === 'azure') return startAzureMetadata({ ...options, name: id })
  return name === 'gcp' ? startGceMetadata(options) : startEc2Metadata(options)
}

/** When the condition `Terminating` was first seen with each status, by Node. */
class Conditions {
  readonly falseAt = new Map<string, number>()
  readonly trueAt = new Map<string, number>()

  constructor(lab: Lab) {
    const cache = createCache<Node>({ client: lab.client, resource: nodes, project: (raw) => raw })
    cache.onChange(({ key, after }) => {
      const status = after?.status?.conditions?.find(({ type }) => type === 'Terminating')?.status
      const at = status === 'True' ? this.trueAt : this.falseAt
      if (status !== undefined && !at.has(key)) at.set(key, lab.ctx.clock.now())
    })
    void cache.run(lab.ctx)
  }
}
