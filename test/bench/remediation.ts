import { setTimeout as sleep } from 'node:timers/promises'
import { nodeOptions } from '../../scripts/build.ts'
import { interruptionPolicies, machines } from '../../api/kinds.ts'
import type { KubeObject } from '../../api/meta.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import { applySpotCluster } from '../lab/spot-cluster.ts'
import { residentMB, type Figures } from './bench.ts'
import type { BenchOptions } from './options.ts'
import { percentile } from './watch-ready.ts'

const rounds = 10
const lookEveryMs = 20
const patience = { timeoutMs: 180_000, everyMs: 200 }
/** Somewhere between two polls of the manager, which come every 15 s: each round at another point. */
const phaseMs = (round: number) => 16_000 + (round * 15_000) / rounds

/** Ten machines of one MachineDeployment are taken back, one after the other; core, as it is shipped, replaces them. */
export async function benchRemediation(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  const cloud = lab.clouds.find(({ name }) => name === options.cloud)
  if (!cloud) throw new Error(`The lab has no ${options.cloud}.`)
  cloud.limited(options.throttled)
  const namespace = await lab.namespace('bench')
  await applyDeployment(lab, { cloud, namespace, workers: options.machines })
  await lab.manager.start({
    entry,
    args: ['--poll-interval', '15s', '--log-level', 'warn'],
    env: { NODE_OPTIONS: nodeOptions },
  })
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await allRun(lab, { namespace, workers: options.machines })
    await sleep(phaseMs(round))
    times.push(await replacedIn(cloud))
  }
  const ascending = times.toSorted((a, b) => a - b)
  return {
    p50ReplacedMs: percentile(ascending, 0.5),
    p99ReplacedMs: percentile(ascending, 0.99),
    rssMB: await residentMB(lab.manager.pid),
    calls: Object.fromEntries(
      Object.entries(cloud.control.counts().actions).map(([action, { calls }]) => [action, calls]),
    ),
  }
}

interface Deployment {
  readonly cloud: LabCloud
  readonly namespace: string
  readonly workers: number
}

/** What has just come up counts as served: the pauses of what fails are not what is measured. */
async function applyDeployment(lab: Lab, { cloud, namespace, workers }: Deployment): Promise<void> {
  const name = `bench-${cloud.name}`
  const policy = { metadata: { name, namespace }, spec: { clusterName: name, minHealthySeconds: 0 } } as KubeObject
  await lab.client.create(interruptionPolicies, policy, lab.ctx)
  await applySpotCluster(lab, { name, namespace, workers, cloud })
}

async function allRun(lab: Lab, { namespace, workers }: Omit<Deployment, 'cloud'>): Promise<void> {
  await eventually(
    `${workers} machines run`,
    async () => {
      const { items } = await lab.client.list<{ status?: { phase?: string } }>(machines, { namespace }, lab.ctx)
      const run = items.filter(({ status }) => status?.phase === 'Running').length
      if (run !== workers || items.length !== workers) throw new Error(`${run} of ${items.length} run`)
    },
    patience,
  )
}

/** Milliseconds from when the cloud shows an instance as no longer running to when it shows a new one as running. */
async function replacedIn(cloud: LabCloud): Promise<number> {
  const running = () => new Set(cloud.alive().flatMap(({ id, state }) => (/running/i.test(state) ? id : [])))
  const before = running()
  const [taken] = before
  if (taken === undefined) throw new Error('No instance runs.')
  cloud.control.interrupt(taken, 0)
  const once = { timeoutMs: patience.timeoutMs, everyMs: lookEveryMs }
  await eventually('it is stopped', () => assert(!running().has(taken)), once)
  const stoppedAt = performance.now()
  await eventually('another runs', () => assert([...running()].some((id) => !before.has(id))), once)
  return performance.now() - stoppedAt
}

function assert(isSo: boolean): void {
  if (!isSo) throw new Error('not yet')
}
