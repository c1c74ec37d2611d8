import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAttempt } from '../../api/attempt.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import { jumpingClock } from '../lab/jumping-clock.ts'
import { randomFrom } from '../simulators/kit/random.ts'
import { Census, type Count } from './census.ts'
import { followFates, strayDeletes, wrongEnds } from './fates.ts'
import { Gates } from './gates.ts'
import { Herd } from './herd.ts'
import { inOrder, reach } from './kills.ts'
import type { Cause, Point } from './point.ts'
import { pointsOf } from './points.ts'
import type { Prey } from './tenant.ts'

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
  /** The number of Machines whose instances were announced to end. */
  readonly notices: number
  /** Kills that did not happen: the manager did not come to the point, or it had ended by itself. */
  readonly missed: readonly string[]
  /** What is wrong with the ends of Machines: announced and still there, or gone without a cause. */
  readonly wrongEnds: readonly string[]
  /** The longest time from a kill to the first write of the next manager. */
  readonly worstRecoveryMs: number
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
  const { lab, cloud, seed, machines } = campaign
  const points = chosen(pointsOf(cloud), campaign.points)
  const namespace = await lab.namespace(`chaos-${cloud.name}`)
  await using gates = await Gates.start(lab, points)
  using _calm = calming(cloud)
  const herd = new Herd({ lab, cloud, namespace, workloadKubeconfig: gates.workloadKubeconfig })
  await using followed = await followFates({ lab, namespace })
  const args = cloud.queue ? ['--aws-interruption-queues', cloud.queue.add()] : []
  const launch = { namespace, gates, args }
  const start = () => startManager(campaign, launch)
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
  const beforeLast = isLed ? async () => {} : launchElsewhere
  const { kills, missed, worstRecoveryMs } = await killAtEach(points, { campaign, gates, herd, start, beforeLast })
  await herd.settled(machines)
  await herd.announcer.settled(patienceMs)
  await herd.isShared()
  await lab.manager.stop()
  await startManager({ ...campaign, elected: false }, launch)
  // Only the manager's clock jumps. So an instance that a list hides for seconds is missing for minutes.
  cloud.control.lag(undefined)
  await passTime(campaign, herd)
  await herd.settled(machines)
  const ends = await herd.ends()
  const wrong = wrongEnds({ fates: followed.fates, ...ends })
  const count = await census.take(herd, machines)
  await lab.manager.stop()
  const strays = strayDeletes(gates.deletes, { machines: ends.announced.values(), pods: herd.announcer.held })
  return {
    cloud: cloud.name,
    seed,
    kills: kills - missed.length,
    notices: herd.announcer.notices,
    missed,
    worstRecoveryMs,
    wrongEnds: wrong,
    ...count,
    touched: [...count.touched, ...strays.map((path) => `DELETE ${path}`)],
  }
}

interface Stage {
  readonly campaign: Campaign
  readonly gates: Gates
  readonly herd: Herd
  readonly start: () => Promise<void>
  /** Happens when the manager has died for the last time. */
  readonly beforeLast: () => Promise<void>
}

async function killAtEach(points: readonly Point[], { campaign, gates, herd, start, beforeLast }: Stage) {
  const { lab, cloud, seed, say } = campaign
  const draw = `${cloud.name}/${seed}`
  let worstRecoveryMs = 0
  const missed: string[] = []
  const kills = inOrder(points, draw)
  const stale = new Set<number>()
  for (const [n, { point, fate, lateMs }] of kills.entries()) {
    const what = `kill ${n + 1} of ${kills.length}: ${point.name}, ${fate}`
    say(`${cloud.name}, seed ${seed}, ${what}`)
    const when = fate === 'done' ? 'after' : 'before'
    const hold = () => ('call' in point.at ? cloud.control.hold(point.at.call, when) : gates.hold(point, when))
    herd.drawFrom(randomFrom(`${draw}/victims/${n}`))
    const cause = causesBy(herd)[point.cause]
    const held = await reach({ hold, at: point.at, cause, stale }, { patienceMs, nudgeMs })
    herd.endRefusals()
    if (!(await isKilled(lab.manager)) || !held) missed.push(what)
    if (fate !== 'late') held?.drop()
    if (n === kills.length - 1) await beforeLast()
    const recovered = gates.untilWrite()
    await start()
    if (fate === 'late') {
      await sleep(lateMs)
      held?.release()
    }
    worstRecoveryMs = Math.max(worstRecoveryMs, await recoveryMs(recovered, { gates, herd }))
  }
  return { kills: kills.length, missed, worstRecoveryMs }
}

function causesBy(herd: Herd): Record<Cause, () => Promise<void>> {
  return {
    'a new cluster': () => herd.anotherCluster(),
    'a new machine': () => herd.deleteOne(),
    'an interruption': () => herd.interruptOne(),
    'a refusal': () => herd.refuseOne(),
    'a fallback': () => herd.fallBackOne(),
    'a deletion': () => herd.deleteOne(),
    'a notice': () => herd.noticeOne('AtOnce'),
    'a notice that waits': () => herd.noticeOne('WhenReplaced'),
    'a held Pod': () => herd.holdOne(),
  }
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

interface Launch {
  readonly namespace: string
  readonly gates: Pick<Gates, 'managerKubeconfig'>
  readonly args: readonly string[]
}

async function startManager(
  { lab, entry, elected = false, logLevel }: Campaign,
  { namespace, gates: { managerKubeconfig }, args }: Launch,
): Promise<void> {
  const settings = ['--poll-interval', '1s', '--log-level', logLevel, ...(elected ? electedArgs : [])]
  await lab.manager.start({
    ...(entry === undefined ? {} : { entry }),
    args: [...settings, ...args, '--kubeconfig', managerKubeconfig, '--namespace', namespace],
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
