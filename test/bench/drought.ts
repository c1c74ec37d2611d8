import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { machines } from '../../api/kinds.ts'
import type { KubeObject } from '../../api/meta.ts'
import { createCache } from '../../controllers/runtime/cache/cache.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import type { Figures } from './bench.ts'
import { allRun, applyDeployment, costOf, stage, startManager, type Deployment } from './deployment.ts'
import type { BenchOptions } from './options.ts'
import { offerings, withRungs } from './rungs.ts'

const tryAgain = { timeoutMs: 120_000, everyMs: 250 }

export interface Drought extends Deployment {
  /** The time without capacity. */
  readonly seconds: number
  readonly backoff: { readonly initialSeconds: number; readonly maxSeconds: number }
  /** The machines have fallback. */
  readonly rungs?: boolean
}

export interface DroughtFigures {
  /** The number of Machines, and of create calls, until capacity was back. */
  readonly machinesMade: number
  readonly createCalls: number
  /**
   * The allowed number of tries beside the first: for every offering one for each of its pauses that ends in the time,
   * whoever waits.
   */
  readonly stepsAllowed: number
  /** How many offerings a machine has. */
  readonly offerings: number
  /** The pause in which capacity came back, and the time from then until all ran. */
  readonly stepSeconds: number
  readonly secondsUntilAllRun: number
}

/** A MachineDeployment is created while the cloud has no capacity. Measures its cost until all instances run. */
export async function drought(lab: Lab, options: Drought): Promise<DroughtFigures> {
  const { cloud, namespace, seconds, backoff, rungs = false } = options
  const { control, createAction } = cloud
  const made = everMade(lab, namespace)
  const creates = () => control.requests().filter(({ action }) => action === createAction)
  const before = creates().length
  control.noCapacity()
  await applyDeployment(lab, options, { backoff }, rungs ? withRungs : undefined)
  const dryAt = lab.ctx.clock.monotonic()
  await sleep(seconds * 1000)
  // A busy computer may need more time than the first pause for the first try.
  const isTriedAgain = () => {
    const [first, ...others] = creates().slice(before)
    assert.ok(first && others.some(({ at }) => at >= first.at + backoff.initialSeconds * 1000))
  }
  await eventually('it was tried again', isTriedAgain, tryAgain)
  const dryForSeconds = (lab.ctx.clock.monotonic() - dryAt) / 1000
  const createCalls = creates().length - before
  const machinesMade = made.size
  const { steps, stepSeconds } = stepsWithin(dryForSeconds, backoff)
  control.capacityBack()
  const backAt = lab.ctx.clock.monotonic()
  await allRun(lab, options, 2 * stepSeconds * 1000 + 120_000)
  const secondsUntilAllRun = (lab.ctx.clock.monotonic() - backAt) / 1000
  const several = rungs ? offerings : 1
  const stepsAllowed = several * (1 + steps) - 1
  return { machinesMade, createCalls, stepsAllowed, offerings: several, stepSeconds, secondsUntilAllRun }
}

/** Lasts as long as `--minutes` says, because core's clock is real. */
export async function benchDrought(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  const deployment = await stage(lab, options)
  await startManager(lab, entry)
  // The defaults.
  const backoff = { initialSeconds: 30, maxSeconds: 1800 }
  const figures = await drought(lab, { ...deployment, seconds: options.minutes * 60, backoff, rungs: options.rungs })
  return { ...figures, ...(await costOf(lab, deployment.cloud)) }
}

/** The number of pauses that end in the time, with no time between them, and the length of the next one. */
function stepsWithin(
  seconds: number,
  { initialSeconds, maxSeconds }: Drought['backoff'],
): { steps: number; stepSeconds: number } {
  const pause = (failures: number) => Math.min(maxSeconds, initialSeconds * 2 ** (failures - 1))
  let [steps, ends] = [0, pause(1)]
  while (ends <= seconds) {
    steps += 1
    ends += pause(steps + 1)
  }
  return { steps, stepSeconds: pause(steps + 1) }
}

/** Collects the uids of all Machines from now on. */
function everMade(lab: Lab, namespace: string): ReadonlySet<string> {
  const uids = new Set<string>()
  const cache = createCache<KubeObject>({ client: lab.client, resource: machines, namespace, project: (raw) => raw })
  cache.onChange(({ after }) => {
    if (after?.metadata.uid) uids.add(after.metadata.uid)
  })
  void cache.run(lab.ctx)
  return uids
}
