import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAttempt } from '../../api/attempt.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import { jumpingClock } from '../lab/jumping-clock.ts'
import type { Hold } from '../simulators/kit/faults/faults.ts'
import { randomFrom } from '../simulators/kit/random.ts'
import { Census, type Count } from './census.ts'
import { Gates } from './gates.ts'
import { Herd } from './herd.ts'
import type { Prey } from './tenant.ts'
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
  /**
   * It leads by its Lease, as in production. Left out: without a Lease, because others need the one Lease of the
   * cluster.
   */
  readonly elected?: boolean
  readonly logLevel: 'info' | 'trace'
  readonly say: (line: string) => void
}

export interface Outcome extends Count {
  readonly cloud: string
  readonly seed: number
  /** The number of kills at the intended point. */
  readonly kills: number
  /** Kills that did not happen, because the manager had ended by itself. */
  readonly missed: readonly string[]
  /** The longest time from a kill to the first write of the next manager. */
  readonly worstRecoveryMs: number
}

/** The fate of a request that was under way when its sender died. */
type Fate = 'lost' | 'late' | 'done'

interface Kill {
  readonly point: Point
  readonly fate: Fate
  /** A late request arrives this long after the start of the next manager. */
  readonly lateMs: number
}

const patienceMs = 180_000
const nudgeMs = 5_000
const idleMs = 30_000
/** The number of machines with a stranger that looks like theirs. */
const doubles = 3
/** A restarted container continues with its Lease at once: config/manager/manager.yaml. */
const electedArgs = ['--leader-elect', '--leader-election-identity', 'the-uid-of-its-pod']

/**
 * One run: the manager dies at every point, in an order drawn from the seed. Then everything settles and is counted.
 */
export async function runCampaign(campaign: Campaign): Promise<Outcome> {
  const { lab, cloud, seed, machines, say } = campaign
  const draw = `${cloud.name}/${seed}`
  const points = chosen(pointsOf(cloud), campaign.points)
  const namespace = await lab.namespace(`chaos-${cloud.name}`)
  await using gates = await Gates.start(lab, points)
  using _calm = calming(cloud)
  const herd = new Herd({ lab, cloud, namespace, workloadKubeconfig: gates.workloadKubeconfig })
  const start = () => startManager(campaign, namespace, gates)
  await start()
  const first = Math.min(machines, doubles)
  await herd.begin(first)
  const settled = await herd.settled(first)
  const census = await Census.begin(cloud, settled)
  cloud.control.lag({ minMs: 0, maxMs: 10_000, seed })
  await herd.grow(machines)
  await herd.sufferForgery(preyAmong(settled, census))
  const launchElsewhere = async () => {
    for (const model of settled.slice(0, 1)) await census.launchElsewhere(model)
  }
  // The other management cluster creates a machine while the manager leads here, or while none does, as the seed
  // decides.
  const isLed = seed % 2 === 1
  if (isLed) {
    await launchElsewhere()
    await herd.isShared()
  }
  let worstRecoveryMs = 0
  const missed: string[] = []
  const kills = inOrder(points, draw)
  const stale = new Set<number>()
  for (const [n, kill] of kills.entries()) {
    const { point, fate, lateMs } = kill
    const what = `kill ${n + 1} of ${kills.length}: ${point.name}, ${fate}`
    say(`${cloud.name}, seed ${seed}, ${what}`)
    const when = fate === 'done' ? 'after' : 'before'
    const hold = () => ('call' in point.at ? cloud.control.hold(point.at.call, when) : gates.hold(point, when))
    herd.drawFrom(randomFrom(`${draw}/victims/${n}`))
    const held = await reach({ hold, point, stale }, herd)
    herd.endRefusals()
    if (!(await isKilled(lab.manager))) missed.push(what)
    if (fate !== 'late') held.drop()
    if (!isLed && n === kills.length - 1) await launchElsewhere()
    const recovered = gates.untilWrite()
    await start()
    if (fate === 'late') {
      await sleep(lateMs)
      held.release()
    }
    worstRecoveryMs = Math.max(worstRecoveryMs, await recoveryMs(recovered, { gates, herd }))
  }
  await herd.settled(machines)
  await herd.isShared()
  await lab.manager.stop()
  await startManager({ ...campaign, elected: false }, namespace, gates)
  // Only the manager's clock jumps. So an instance that a list hides for seconds is missing for minutes.
  cloud.control.lag(undefined)
  await passTime(campaign, herd)
  const count = await census.take(herd, machines)
  await lab.manager.stop()
  return { cloud: cloud.name, seed, kills: kills.length - missed.length, missed, worstRecoveryMs, ...count }
}

/**
 * The time until the manager wrote again. If everything was done before the kill, it writes only after an event, so
 * there is one.
 */
async function recoveryMs(recovered: Promise<number>, { gates, herd }: { gates: Gates; herd: Herd }): Promise<number> {
  let written = recovered
  for (let waited = 0; waited < patienceMs; waited += idleMs) {
    const timer = new AbortController()
    const idle = sleep(idleMs, undefined, { signal: timer.signal }).catch(() => undefined)
    const ms = await Promise.race([written, idle])
    timer.abort()
    if (ms !== undefined) return ms
    written = gates.untilWrite()
    await herd.deleteOne()
  }
  throw new Error(`The manager that was started again has written nothing for ${patienceMs / 1000} s.`)
}

/**
 * Long enough for the sweep to end its orphans, which takes minutes. A process with a jumping clock would lose its
 * Lease, so this one leads without.
 */
async function passTime({ lab, cloud }: Campaign, herd: Herd): Promise<void> {
  await lists(cloud, 1)
  for (let minutes = 0; minutes <= 30; minutes += 5) {
    lab.manager.kill('SIGUSR2')
    await lists(cloud, 1)
    await herd.wakeClusters()
    await lists(cloud, 2)
  }
}

async function lists({ control, isList }: LabCloud, more: number): Promise<void> {
  const count = () => control.requests().filter(isList).length
  const wanted = count() + more
  await eventually(`${more} more lists`, () => assert.ok(count() >= wanted))
}

function preyAmong(machines: readonly InfraMachine[], census: Census): Prey {
  const [stranger] = census.doubles
  const sibling = machines.at(-1)
  const reading = sibling && readAttempt(sibling)
  if (!stranger || reading?.is !== 'ours') throw new Error('There is no machine and no stranger to tell lies about.')
  return { attempt: reading.attempt, stranger }
}

async function startManager(
  { lab, entry, elected = false, logLevel }: Campaign,
  namespace: string,
  { managerKubeconfig }: Gates,
): Promise<void> {
  const settings = ['--poll-interval', '1s', '--log-level', logLevel, ...(elected ? electedArgs : [])]
  await lab.manager.start({
    ...(entry === undefined ? {} : { entry }),
    args: [...settings, '--kubeconfig', managerKubeconfig, '--namespace', namespace],
    env: jumpingClock,
  })
}

/** Whether this call ended it. */
async function isKilled(manager: Lab['manager']): Promise<boolean> {
  if (!manager.running) return false
  manager.kill('SIGKILL')
  return (await manager.exited).signal === 'SIGKILL'
}

/** After the run the cloud is as before. */
function calming({ control }: LabCloud): Disposable {
  return {
    [Symbol.dispose]() {
      control.lag(undefined)
      control.clearFaults()
    },
  }
}

function chosen(all: readonly Point[], names: readonly string[]): readonly Point[] {
  const unknown = names.find((name) => !all.some((point) => point.name === name))
  if (unknown !== undefined) {
    throw new Error(`There is no point "${unknown}"; there are: ${all.map(({ name }) => name).join(', ')}.`)
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
}

/**
 * Each point, before and after the request. Before it, the request is lost, or arrives when its sender is dead, as the
 * seed decides. Order and fates have their own random numbers, so that timing does not change them.
 */
function inOrder(points: readonly Point[], draw: string): Kill[] {
  const random = randomFrom(draw)
  const delays = randomFrom(`${draw}/delays`)
  const kills = points.flatMap((point): Omit<Kill, 'lateMs'>[] => [
    { point, fate: random() < 0.5 ? 'lost' : 'late' },
    { point, fate: 'done' },
  ])
  return kills
    .map((kill) => ({ kill, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ kill }) => ({ ...kill, lateMs: delays() * 3_000 }))
}

interface Goal {
  readonly hold: () => Hold
  readonly point: Point
  /** Calls to the cloud from dead senders. They do not count as coming to the point. */
  readonly stale: Set<number>
}

/** Repeats the events that lead to the point until the manager has reached it. Returns the held request. */
async function reach({ hold, point: { name, cause }, stale }: Goal, herd: Herd): Promise<Hold> {
  const causes: Record<Cause, () => Promise<void>> = {
    'a new cluster': () => herd.anotherCluster(),
    'a new machine': () => herd.deleteOne(),
    'an interruption': () => herd.interruptOne(),
    'a refusal': () => herd.refuseOne(),
    'a deletion': () => herd.deleteOne(),
  }
  let held = hold()
  for (let waited = 0; waited < patienceMs; waited += nudgeMs) {
    await causes[cause]()
    const timer = new AbortController()
    const pause = sleep(nudgeMs, undefined, { signal: timer.signal }).catch(() => undefined)
    const reachedBy = await Promise.race([held.reached, pause])
    timer.abort()
    if (!reachedBy) continue
    if (reachedBy.number === 0 || !stale.has(reachedBy.number)) {
      stale.add(reachedBy.number)
      return held
    }
    held.release()
    held = hold()
  }
  throw new Error(`The manager did not come to the point "${name}" within ${patienceMs / 1000} s.`)
}
