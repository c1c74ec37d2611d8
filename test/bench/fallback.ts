import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeOptions } from '../../scripts/build.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import { granted, type Figures } from './bench.ts'
import { costOf, stage } from './deployment.ts'
import { Fixture } from './fixture.ts'
import { inParallel } from './in-parallel.ts'
import type { BenchOptions } from './options.ts'
import { spreadOf, type Spread } from './spread-of.ts'
import { ReadyWatch } from './watch-ready.ts'

/**
 * From the answer to the call that came to nothing until the next call of the same machine. Where the cloud says yes
 * and the instance fails, `goneToNextRequest` is from the moment in which the cloud has it no more.
 */
export type FallbackFigures = Spread<'nextRequest'> & Partial<Spread<'goneToNextRequest'>>

const everyMs = 20
const patience = { timeoutMs: 60_000, everyMs }

/**
 * All machines ask for spot at once, and there is none: each goes on and asks on demand. Their first calls are answered
 * in the same moment, when all of them have come. Otherwise the first refusal would spare the others theirs.
 */
export async function benchFallback(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  const { machines, throttled } = options
  const { cloud, namespace } = await stage(lab, options)
  const { control, createAction } = cloud
  const fixture = new Fixture(lab, cloud, namespace, { fallback: [{ capacityType: 'OnDemand' }] })
  const ready = new ReadyWatch(lab, { resource: fixture.machines, namespace })
  await fixture.cluster()
  await fixture.warmUp()
  control.noCapacity({ market: 'spot' })
  await lab.manager.start({
    entry,
    // Each held call holds a worker.
    args: [
      '--poll-interval',
      '15s',
      '--log-level',
      'warn',
      '--workers',
      `${machines + 8}`,
      ...(throttled ? [] : granted),
    ],
    env: { NODE_OPTIONS: nodeOptions },
  })
  const answers = Array.from({ length: machines }, () => control.hold(createAction, 'after'))
  let asked = 0
  for (const { reached } of answers) void reached.then(() => (asked += 1))
  const names = Array.from({ length: machines }, (_, i) => `m-${String(i).padStart(5, '0')}`)
  await inParallel(20, names, async (name) => {
    ready.made(name)
    await fixture.machine(name)
  })
  await eventually('all have asked', () => assert.equal(asked, machines), patience)
  const answeredAt = lab.ctx.clock.now()
  const gone = new GoneWatch(cloud, names)
  for (const answer of answers) answer.release()
  await Promise.race([ready.until(machines), gone.run(lab)])
  await ready.until(machines)
  const next = names.map((name) => ({ at: nextRequestOf(name, cloud), goneAt: gone.at(name) }))
  const sinceGone = next.flatMap(({ at, goneAt }) => (goneAt === undefined ? [] : [at - goneAt]))
  const times = next.map(({ at }) => at - answeredAt)
  // For what is no instance, such as an interface, a machine does not wait.
  const hasWaited = sinceGone.length === machines && sinceGone.every((ms) => ms >= 0)
  const afterGone = hasWaited ? spreadOf('goneToNextRequest', sinceGone) : {}
  return { ...spreadOf('nextRequest', times), ...afterGone, ...(await costOf(lab, cloud)) }
}

/** What the first calls have made, and when the cloud had it no more. */
class GoneWatch {
  readonly #cloud: LabCloud
  readonly #made: readonly string[]
  readonly #goneAt = new Map<string, number>()

  constructor(cloud: LabCloud, names: readonly string[]) {
    this.#cloud = cloud
    this.#made = cloud.remains().filter((one) => names.some((name) => isOf(name, one)))
  }

  async run({ ctx }: Lab): Promise<void> {
    for (;;) {
      const left = new Set(this.#cloud.remains())
      const now = ctx.clock.now()
      for (const one of this.#made) if (!left.has(one) && !this.#goneAt.has(one)) this.#goneAt.set(one, now)
      if (this.#goneAt.size === this.#made.length) return
      await sleep(everyMs, undefined, { signal: ctx.signal })
    }
  }

  /** Undefined: its first call has made nothing, or that is still there. */
  at(name: string): number | undefined {
    const its = this.#made.filter((one) => isOf(name, one))
    const times = its.flatMap((one) => this.#goneAt.get(one) ?? [])
    return times.length === its.length && times.length > 0 ? Math.max(...times) : undefined
  }
}

/** When its second call came. More follow where spot is asked for in several zones. */
function nextRequestOf(name: string, { control, createAction }: LabCloud): number {
  const creates = control
    .requests()
    .filter(({ action, params }) => action === createAction && isOf(name, JSON.stringify(params)))
  const [, second] = creates
  assert.ok(second, `${name} has asked only once.`)
  return second.at
}

function isOf(name: string, text: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text)
}
