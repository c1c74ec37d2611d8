import { setTimeout as sleep } from 'node:timers/promises'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import type { Lab } from '../lab/lab.ts'
import type { Hold } from '../simulators/common/faults.ts'
import { randomFrom } from '../simulators/common/random.ts'
import { Census, type Count } from './census.ts'
import { Gates } from './gates.ts'
import { Herd } from './herd.ts'
import { pointsOf, type Cause, type Point } from './points.ts'

export interface Campaign {
  readonly lab: Lab
  readonly cloud: LabCloud
  readonly seed: number
  readonly machines: number
  /** Names of the table; empty: all of them. */
  readonly points: readonly string[]
  /** The bundle of the manager, as it ships; left out: its sources. */
  readonly entry?: string
  readonly logLevel: 'info' | 'trace'
  readonly say: (line: string) => void
}

export interface Outcome extends Count {
  readonly cloud: string
  readonly seed: number
  readonly kills: number
  /** The longest time from a kill to the next write of the manager that was started after it. */
  readonly worstRecoveryMs: number
}

/** What becomes of a request that was under way when its sender died. */
type Fate = 'lost' | 'late' | 'done'

interface Kill {
  readonly point: Point
  readonly fate: Fate
}

const patienceMs = 180_000
const nudgeMs = 5_000

/** One run: the manager dies at every point, in an order drawn from the seed; then all settles, and is counted. */
export async function runCampaign(campaign: Campaign): Promise<Outcome> {
  const { lab, cloud, seed, machines, entry, say } = campaign
  const random = randomFrom(`${cloud.name}/${seed}`)
  const points = chosen(pointsOf(cloud), campaign.points)
  const namespace = await lab.namespace(`chaos-${cloud.name}`)
  await using gates = await Gates.start(lab, points)
  const herd = new Herd({ lab, cloud, namespace, workloadKubeconfig: gates.workloadKubeconfig }, random)
  await using census = await Census.begin(cloud, namespace)
  const settings = ['--poll-interval', '1s', '--log-level', campaign.logLevel]
  const start = () =>
    lab.manager.start({
      ...(entry === undefined ? {} : { entry }),
      args: [...settings, '--kubeconfig', gates.managerKubeconfig, '--namespace', namespace],
    })
  cloud.control.lag({ minMs: 0, maxMs: 10_000, seed })
  await start()
  await herd.grow(machines)
  let worstRecoveryMs = 0
  const kills = inOrder(points, random)
  for (const [n, { point, fate }] of kills.entries()) {
    say(`${cloud.name}, seed ${seed}, kill ${n + 1} of ${kills.length}: ${point.name}, ${fate}`)
    const when = fate === 'done' ? 'after' : 'before'
    const hold = 'call' in point.at ? cloud.control.hold(point.at.call, when) : gates.hold(point, when)
    await reach({ hold, cause: point.cause }, herd, point.name)
    herd.endRefusals()
    lab.manager.kill('SIGKILL')
    await lab.manager.exited
    if (fate !== 'late') hold.drop()
    const recovered = gates.untilWrite()
    await start()
    if (fate === 'late') {
      await sleep(random() * 3_000)
      hold.release()
    }
    worstRecoveryMs = Math.max(worstRecoveryMs, await recovered)
  }
  const count = await census.take(herd, machines)
  await lab.manager.stop()
  return { cloud: cloud.name, seed, kills: kills.length, worstRecoveryMs, ...count }
}

function chosen(all: readonly Point[], names: readonly string[]): readonly Point[] {
  const unknown = names.find((name) => !all.some((point) => point.name === name))
  if (unknown !== undefined) {
    throw new Error(`There is no point "${unknown}"; there are: ${all.map(({ name }) => name).join(', ')}.`)
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
}

/**
 * Each point before and after; before, the request is lost, or done when its sender is long dead: as the seed has it.
 */
function inOrder(points: readonly Point[], random: () => number): Kill[] {
  const kills = points.flatMap((point): Kill[] => [
    { point, fate: random() < 0.5 ? 'lost' : 'late' },
    { point, fate: 'done' },
  ])
  return kills
    .map((kill) => ({ kill, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ kill }) => kill)
}

/** Makes happen what leads to the point, again and again, until the manager has come to it. */
async function reach({ hold, cause }: { hold: Hold; cause: Cause }, herd: Herd, name: string): Promise<void> {
  const causes: Record<Cause, () => Promise<void>> = {
    'a new cluster': () => herd.anotherCluster(),
    'a new machine': () => herd.deleteOne(),
    'an interruption': () => herd.interruptOne(),
    'a refusal': () => herd.refuseOne(),
    'a deletion': () => herd.deleteOne(),
  }
  const reached = hold.reached.then(() => true)
  for (let waited = 0; waited < patienceMs; waited += nudgeMs) {
    await causes[cause]()
    const timer = new AbortController()
    const isThere = await Promise.race([reached, sleep(nudgeMs, false, { signal: timer.signal }).catch(() => false)])
    timer.abort()
    if (isThere) return
  }
  throw new Error(`The manager did not come to the point "${name}" within ${patienceMs / 1000} s.`)
}
