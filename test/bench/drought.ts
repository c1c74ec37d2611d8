import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { machineDeployments, machines } from '../../api/kinds.ts'
import type { KubeObject } from '../../api/meta.ts'
import { createCache } from '../../controllers/runtime/cache/cache.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import type { Figures } from './bench.ts'
import { allRun, applyDeployment, costOf, stage, startManager, type Deployment } from './deployment.ts'
import type { BenchOptions } from './options.ts'
import { offerings, withRungs } from './rungs.ts'
import { TurnWatch, type TurnFigures } from './turns.ts'

const tryAgain = { timeoutMs: 120_000, everyMs: 250 }

export interface Drought extends Deployment {
  /** The time without capacity. */
  readonly seconds: number
  readonly backoff: Backoff
  /** The machines have fallback. */
  readonly rungs?: boolean
  /** The cloud has refused one machine before the others come, so that these have to wait for their turn. */
  readonly isKnown?: boolean
}

interface Backoff {
  readonly initialSeconds: number
  readonly maxSeconds: number
}

/** Without `rungs`, also how long machines waited for their turn, which `maxSeconds` bounds. */
export interface DroughtFigures extends Partial<TurnFigures> {
  readonly maxSeconds: number
  /** The number of Machines, and of create calls, until capacity was back. */
  readonly machinesMade: number
  readonly createCalls: number
  /** The most calls within any ten minutes of that time. */
  readonly mostCallsInTenMinutes: number
  /**
   * How many calls may come beside the first of each machine: for every offering one for each of its pauses that ends
   * in the time, whoever makes it.
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
  const { cloud, namespace, backoff, rungs = false, isKnown = false } = options
  const made = await everMade(lab, namespace)
  const turns = rungs ? undefined : await TurnWatch.start(lab, { cloud, namespace })
  const askedBefore = createsAt(cloud).length
  const asked = () => createsAt(cloud).slice(askedBefore)
  cloud.control.noCapacity()
  const first = isKnown ? { ...options, workers: 1 } : options
  await applyDeployment(lab, first, { backoff }, rungs ? withRungs : undefined)
  if (isKnown) await scaleOnceRefused(lab, options)
  const drySeconds = await endured(lab, options, asked)
  const [calls, machinesMade] = [asked(), made.size]
  const { steps, stepSeconds } = stepsWithin(drySeconds, backoff)
  cloud.control.capacityBack()
  const backAt = lab.ctx.clock.monotonic()
  await allRun(lab, options, 2 * stepSeconds * 1000 + 120_000)
  const several = rungs ? offerings : 1
  return {
    maxSeconds: backoff.maxSeconds,
    machinesMade,
    createCalls: calls.length,
    mostCallsInTenMinutes: mostWithin(600_000, calls),
    stepsAllowed: several * (1 + steps) - 1,
    offerings: several,
    stepSeconds,
    secondsUntilAllRun: (lab.ctx.clock.monotonic() - backAt) / 1000,
    ...turns?.figures(),
  }
}

/** Lasts as long as `--minutes` says, because core's clock is real. */
export async function benchDrought(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  const deployment = await stage(lab, options)
  await startManager(lab, entry)
  const backoff = { initialSeconds: 30, maxSeconds: options.maxSeconds }
  const figures = await drought(lab, { ...deployment, seconds: options.minutes * 60, backoff, rungs: options.rungs })
  return { ...figures, ...(await costOf(lab, deployment.cloud)) }
}

async function scaleOnceRefused(lab: Lab, { cloud, namespace, workers }: Deployment): Promise<void> {
  const { control, createAction } = cloud
  await eventually('the first is refused', () => {
    assert.ok(control.requests().some(({ action, answer }) => action === createAction && (answer?.status ?? 0) >= 400))
  })
  const { items } = await lab.client.list(machineDeployments, { namespace }, lab.ctx)
  for (const { metadata } of items) {
    await lab.client.mergePatch(machineDeployments, metadata, { patch: { spec: { replicas: workers } } }, lab.ctx)
  }
}

/** When each create call came, in their order. */
function createsAt({ control, createAction }: LabCloud): number[] {
  return control.requests().flatMap(({ action, at }) => (action === createAction ? [at] : []))
}

/** Lets the time without capacity pass. Returns how many seconds it was. */
async function endured(
  lab: Lab,
  { seconds, backoff }: Pick<Drought, 'seconds' | 'backoff'>,
  asked: () => readonly number[],
): Promise<number> {
  const dryAt = lab.ctx.clock.monotonic()
  await sleep(seconds * 1000)
  // A busy computer may need more time than the first pause for the first try.
  const isTriedAgain = () => {
    const [first, ...others] = asked()
    assert.ok(first !== undefined && others.some((at) => at >= first + backoff.initialSeconds * 1000))
  }
  await eventually('it was tried again', isTriedAgain, tryAgain)
  return (lab.ctx.clock.monotonic() - dryAt) / 1000
}

/** The most of these ascending times that lie within a span. */
function mostWithin(spanMs: number, times: readonly number[]): number {
  return Math.max(0, ...times.map((from, n) => times.slice(n).filter((at) => at < from + spanMs).length))
}

/** The number of pauses that end in the time, with no time between them, and the length of the next one. */
function stepsWithin(seconds: number, { initialSeconds, maxSeconds }: Backoff): { steps: number; stepSeconds: number } {
  const pause = (failures: number) => Math.min(maxSeconds, initialSeconds * 2 ** (failures - 1))
  let [steps, ends] = [0, pause(1)]
  while (ends <= seconds) {
    steps += 1
    ends += pause(steps + 1)
  }
  return { steps, stepSeconds: pause(steps + 1) }
}

/** Collects the uids of all Machines from now on. */
async function everMade(lab: Lab, namespace: string): Promise<ReadonlySet<string>> {
  const uids = new Set<string>()
  const cache = createCache<KubeObject>({ client: lab.client, resource: machines, namespace, project: (raw) => raw })
  cache.onChange(({ after }) => {
    if (after?.metadata.uid) uids.add(after.metadata.uid)
  })
  void cache.run(lab.ctx)
  await cache.synced(lab.ctx)
  return uids
}
