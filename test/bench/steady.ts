import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { machines, nodes } from '../../api/kinds.ts'
import { nodeLabels } from '../../api/labels.ts'
import type { InfraMachine, Node } from '../../api/machine.ts'
import type { Resource } from '../../api/meta.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import type { Endpoint } from '../lab/endpoint.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import type { Figures } from './bench.ts'
import { onCpu, residentMB } from './process-use.ts'
import { inParallel } from './in-parallel.ts'

/** While nothing happens. All are counted over the whole time, and `lists` are those of all instances. */
export interface SteadyFigures {
  readonly minutes: number
  readonly lists: number
  readonly callsPerMachineHour: number
  /** The same while the workload cluster does not answer. */
  readonly deadLists: number
  readonly deadCallsPerMachineHour: number
  readonly deadRanMs: number
  readonly deadRssMB: number
}

interface Stage {
  readonly lab: Lab
  readonly cloud: LabCloud
  readonly namespace: string
  /** The kind of the machines. */
  readonly resource: Resource
  readonly count: number
  readonly minutes: number
  /** The address of the workload cluster. */
  readonly endpoint: Endpoint
}

/** By then the pace of a fleet is the usual one, and a workload cluster that has just died is known to be dead. */
const settleMs = 30_000

export async function benchSteady(stage: Stage): Promise<Figures & SteadyFigures> {
  const { endpoint, minutes } = stage
  await joined(stage)
  const alive = await quiet(stage)
  endpoint.takeAway()
  const dead = await quiet(stage)
  return {
    minutes,
    lists: alive.lists,
    callsPerMachineHour: alive.callsPerMachineHour,
    ranMs: alive.ranMs,
    rssMB: alive.rssMB,
    deadLists: dead.lists,
    deadCallsPerMachineHour: dead.callsPerMachineHour,
    deadRanMs: dead.ranMs,
    deadRssMB: dead.rssMB,
    calls: { ...alive.calls, ...named('dead', dead.calls) },
  }
}

/** The kubeconfig of the lab's API server at this address. */
export async function kubeconfigBy({ cluster }: Lab, { port }: Endpoint): Promise<string> {
  const given = await readFile(cluster.kubeconfig, 'utf8')
  const text = given.replaceAll(cluster.admin.server, `https://127.0.0.1:${port}`)
  return Buffer.from(text).toString('base64')
}

/** Core would name the Node of each Machine. Then the manager labels it, and watches it. */
async function joined({ lab, namespace, resource, count }: Stage): Promise<void> {
  const { client, ctx } = lab
  const all = await client.list<Node>(nodes, {}, ctx)
  const nodeOf = new Map(all.items.map(({ metadata, spec }) => [spec?.providerID, metadata.name]))
  const infras = await client.list<InfraMachine>(resource, { namespace }, ctx)
  await inParallel(20, infras.items, async ({ metadata: { name }, spec }) => {
    const patch = { status: { nodeRef: { name: nodeOf.get(spec.providerID) } } }
    await client.mergePatch(machines, { namespace, name }, { patch, subresource: 'status' }, ctx)
  })
  await eventually(
    'the Nodes are labelled',
    async () => {
      const labelled = await client.list(nodes, { labelSelector: nodeLabels.interruptible }, ctx)
      if (labelled.items.length !== count) throw new Error(`${labelled.items.length} of ${count} are.`)
    },
    { timeoutMs: 120_000, everyMs: 1_000 },
  )
}

async function quiet({ lab, cloud, count, minutes }: Stage) {
  await sleep(settleMs)
  cloud.control.resetCounts()
  const since = lab.ctx.clock.now()
  const before = await onCpu(lab.manager.pid)
  await sleep(minutes * 60_000)
  const { ranMs } = await onCpu(lab.manager.pid)
  const { actions } = cloud.control.counts()
  const calls = Object.fromEntries(Object.entries(actions).map(([action, counted]) => [action, counted.calls]))
  const total = Object.values(calls).reduce((sum, one) => sum + one, 0)
  return {
    calls,
    lists: cloud.control.requests().filter((one) => one.at >= since && cloud.isList(one)).length,
    callsPerMachineHour: (total / count / minutes) * 60,
    ranMs: ranMs - before.ranMs,
    rssMB: await residentMB(lab.manager.pid),
  }
}

function named(prefix: string, calls: Figures['calls']): Figures['calls'] {
  return Object.fromEntries(Object.entries(calls).map(([action, count]) => [`${prefix}/${action}`, count]))
}
