import { machines } from '../../../api/kinds.ts'
import { eventually } from '../../lab/eventually.ts'
import type { Lab } from '../../lab/lab.ts'
import { freePort } from '../../lab/processes/port.ts'
import { granted, type Figures } from '../bench.ts'
import { onCpu } from '../process-use.ts'
import { costOf, stage, startManager } from '../deployment.ts'
import type { BenchOptions } from '../options.ts'
import { spreadOf, type Spread } from '../spread-of.ts'
import { bareClient, besideCore } from './bare-client.ts'
import { applyCluster, available, instanceOf, podsOn } from './setting.ts'
import { apiserverRequests } from './apiserver-requests.ts'
import { sightsOf, sourceArgs } from './source.ts'
import { MachineWatch, watchTaints, type Watched } from './watch.ts'

export interface AtOnceFigures
  extends Spread<'seenToDeleted'>, Spread<'bareToDeleted'>, Spread<'besideCoreToDeleted'>, Spread<'seenToTainted'> {
  /**
   * Of the 99th percentiles, from the moment in which the manager saw the notices, to those of the bare client on
   * Machines that core acts on.
   */
  readonly deletedRatio: number
  readonly tainted: number
  /** Core's own scale-up from none to all; and until as many new ones are available, from the sight of the notices. */
  readonly scaleUpMs: number
  readonly replacedMs: number
  readonly replacedRatio: number
  /** The manager's requests to the API server from the notices on, and those that failed for a conflict. */
  readonly requestsPerMachine: number
  readonly conflictsPerMachine: number
}

const cluster = 'at-once'
const deployments = 5
const noticeMs = 120_000

/** Every Machine gets its notice in the same moment. */
export async function benchAtOnce(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  const { source = 'spot-requests' } = options
  const { cloud, namespace, workers: count } = await stage(lab, { ...options, throttled: false })
  const timeoutMs = 120_000 + 1_000 * count
  const watch = new MachineWatch(lab, namespace)
  const taintedAt = watchTaints(lab)
  const metricsPort = await freePort()
  const args = [...granted, ...sourceArgs(lab, source)]
  await startManager(lab, entry, { args, metricsPort })
  const clock = lab.ctx.clock
  const appliedAt = clock.now()
  await applyCluster(lab, { cloud, namespace }, { cluster, workers: count / deployments, deployments })
  const before = await available(watch, { count, timeoutMs })
  const scaleUpMs = clock.now() - appliedAt
  await podsOn(lab, namespace, before)
  const bare = await bareClient(lab, count)

  const requests = () => apiserverRequests(metricsPort)
  const [asked, rested] = [await requests(), await onCpu(lab.manager.pid)]
  const noticeAt = clock.now()
  for (const machine of before) cloud.control.interrupt(instanceOf(machine), noticeMs)
  const after = await available(watch, { count, before, timeoutMs })
  const lastAt = Math.max(...after.map(({ availableAt = NaN }) => availableAt))
  await eventually('all of them are deleted', () => deletedAt(), { timeoutMs })
  const [made, busy] = [await requests(), await onCpu(lab.manager.pid)]
  const seenAt = sightsOf(cloud, source)(noticeAt)
  const replacedMs = lastAt - seenAt
  const cost = await costOf(lab, cloud)
  const beside = await bareBesideCore(lab, namespace, after)
  const deleted = spreadOf(
    'seenToDeleted',
    deletedAt().map((at) => at - seenAt),
  )
  const tainted = before.flatMap(({ node = '' }) => taintedAt.get(node) ?? [])
  return {
    ...deleted,
    ...bare,
    ...beside,
    deletedRatio: deleted.seenToDeletedP99Ms / beside.besideCoreToDeletedP99Ms,
    tainted: tainted.length,
    ...spreadOf(
      'seenToTainted',
      tainted.map((at) => at - seenAt),
    ),
    scaleUpMs,
    requestsPerMachine: (made.all - asked.all) / count,
    conflictsPerMachine: (made.conflicts - asked.conflicts) / count,
    ranMs: busy.ranMs - rested.ranMs,
    waitedForCpuMs: busy.waitedForCpuMs - rested.waitedForCpuMs,
    replacedMs,
    replacedRatio: replacedMs / scaleUpMs,
    ...cost,
  }

  function deletedAt(): number[] {
    const times = before.flatMap((machine) => machine.deletedAt ?? [])
    if (times.length !== count) throw new Error(`${times.length} of ${count}`)
    return times
  }
}

/** When the storm is over, on the Machines that have come: with the same Pods, and without the manager. */
async function bareBesideCore(lab: Lab, namespace: string, serving: readonly Watched[]) {
  const areGone = async () => {
    const { items } = await lab.client.list(machines, { namespace }, lab.ctx)
    if (items.length !== serving.length) throw new Error(`There are ${items.length}.`)
  }
  await eventually('the others are gone', areGone, { timeoutMs: 120_000 + 1_000 * serving.length, everyMs: 1_000 })
  await podsOn(lab, namespace, serving)
  await lab.manager.stop()
  return besideCore(lab, { namespace, cluster, names: serving.map(({ name }) => name) })
}
