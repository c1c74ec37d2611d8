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

const tryAgain = { timeoutMs: 120_000, everyMs: 250 }

export interface Drought extends Deployment {
  /** How long the cloud has no capacity. */
  readonly seconds: number
  readonly backoff: { readonly initialSeconds: number; readonly maxSeconds: number }
}

export interface DroughtFigures {
  /** Machine objects that there ever were, and calls for an instance, until capacity was back. */
  readonly machinesMade: number
  readonly createCalls: number
  /**
   * How many machines may be tried again in that time: one for every pause that ends in it, however many machines wait.
   */
  readonly stepsAllowed: number
  /** The pause in which capacity came back, and how long it then took until all ran. */
  readonly stepSeconds: number
  readonly secondsUntilAllRun: number
}

/** A MachineDeployment that is made while the cloud has no capacity, and what that costs until it is served. */
export async function drought(lab: Lab, options: Drought): Promise<DroughtFigures> {
  const { cloud, namespace, seconds, backoff } = options
  const { control, createAction } = cloud
  const made = everMade(lab, namespace)
  const creates = () => control.requests().filter(({ action }) => action === createAction)
  const before = creates().length
  control.noCapacity()
  await applyDeployment(lab, options, { backoff })
  const dryAt = lab.ctx.clock.monotonic()
  await sleep(seconds * 1000)
  // A busy machine may need more time than the first pause for the first try.
  await eventually('it was tried again', () => assert.ok(creates().length - before > options.workers), tryAgain)
  const dryForSeconds = (lab.ctx.clock.monotonic() - dryAt) / 1000
  const createCalls = creates().length - before
  const machinesMade = made.size
  const { steps, stepSeconds } = stepsWithin(dryForSeconds, backoff)
  control.capacityBack()
  const backAt = lab.ctx.clock.monotonic()
  await allRun(lab, options, 2 * stepSeconds * 1000 + 120_000)
  const secondsUntilAllRun = (lab.ctx.clock.monotonic() - backAt) / 1000
  return { machinesMade, createCalls, stepsAllowed: steps, stepSeconds, secondsUntilAllRun }
}

/** For as long as `--minutes` says; core's clock is real, so it lasts. */
export async function benchDrought(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  const deployment = await stage(lab, options)
  await startManager(lab, entry)
  const backoff = { initialSeconds: 10, maxSeconds: 300 }
  const figures = await drought(lab, { ...deployment, seconds: options.minutes * 60, backoff })
  return { ...figures, ...(await costOf(lab, deployment.cloud)) }
}

/** How many pauses end in the time, if no time passes between them, and how long the next one is. */
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

/** The uids of all Machines from now on. */
function everMade(lab: Lab, namespace: string): ReadonlySet<string> {
  const uids = new Set<string>()
  const cache = createCache<KubeObject>({ client: lab.client, resource: machines, namespace, project: (raw) => raw })
  cache.onChange(({ after }) => {
    if (after?.metadata.uid) uids.add(after.metadata.uid)
  })
  void cache.run(lab.ctx)
  return uids
}
