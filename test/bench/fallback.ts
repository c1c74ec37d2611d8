import assert from 'node:assert/strict'
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

/** From the answer to the call that came to nothing until the next call of the same machine. */
export type FallbackFigures = Spread<'nextRequest'>

const patience = { timeoutMs: 60_000, everyMs: 20 }

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
  for (const answer of answers) answer.release()
  await ready.until(machines)
  const times = names.map((name) => nextRequestOf(name, cloud) - answeredAt)
  return { ...spreadOf('nextRequest', times), ...(await costOf(lab, cloud)) }
}

/** When its second call came. More follow where spot is asked for in several zones. */
function nextRequestOf(name: string, { control, createAction }: LabCloud): number {
  const isIts = new RegExp(`\\b${name}\\b`)
  const creates = control
    .requests()
    .filter(({ action, params }) => action === createAction && isIts.test(JSON.stringify(params)))
  const [, second] = creates
  assert.ok(second, `${name} has asked only once.`)
  return second.at
}
