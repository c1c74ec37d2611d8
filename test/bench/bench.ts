import { setTimeout as sleep } from 'node:timers/promises'
import { nodeOptions } from '../../scripts/build.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import type { Endpoint } from '../lab/endpoint.ts'
import type { Lab } from '../lab/lab.ts'
import { freePort } from '../lab/processes/port.ts'
import type { AgentCostFigures } from './agent.ts'
import type { DroughtFigures } from './drought.ts'
import type { FallbackFigures } from './fallback.ts'
import { Fixture } from './fixture.ts'
import { inParallel } from './in-parallel.ts'
import type { AtOnceFigures } from './interruption/at-once.ts'
import type { AgentFigures } from './interruption/by-agent.ts'
import type { SpreadFigures } from './interruption/spread.ts'
import type { BenchOptions } from './options.ts'
import type { PoisonFigures } from './poison/queue.ts'
import { onCpu, residentMB } from './process-use.ts'
import { benchSteady, kubeconfigBy, type SteadyFigures } from './steady.ts'
import { percentile, ReadyWatch } from './watch-ready.ts'

/** The figures of a run. Every request that reached the cloud counts, refused ones too. */
export interface Figures
  extends
    Partial<SteadyFigures>,
    Partial<SpreadFigures>,
    Partial<AgentFigures>,
    Partial<AgentCostFigures>,
    Partial<AtOnceFigures>,
    Partial<DroughtFigures>,
    Partial<FallbackFigures>,
    Partial<PoisonFigures> {
  callsPerMachine?: number
  machinesPerSecond?: number
  /** From the first machine to the last launch: the cloud's bucket alone decides it. */
  launchedSeconds?: number
  /** Until the instances run in the cloud, before anybody has seen them. */
  instancesPerSecond?: number
  p50ReadyMs?: number
  p99ReadyMs?: number
  /** From the manager's start until it has seen the last machine again. */
  recoveryMs?: number
  /** The lag of the event loop: 99 % of the time it was smaller. */
  loopLagP99Ms?: number
  /** From the cloud's stop of an instance until its replacement runs. */
  p50ReplacedMs?: number
  p99ReplacedMs?: number
  /** For `hostile`: the same without the tenant, the most memory, and the load that the tenant made. */
  alone50ReplacedMs?: number
  aloneLoopLagP99Ms?: number
  aloneRssMB?: number
  peakRssMB?: number
  hostileObjects?: number
  hostileRequests?: number
  /** How long its thread computed, and how long it was ready without a CPU. Both cause lag. */
  ranMs?: number
  waitedForCpuMs?: number
  rssMB: number
  calls: Readonly<Record<string, number>>
}

export const bootMs = 500
/** The period of the manager's gauge of its event loop. */
const lagSeenForMs = 31_000

/** Limits of a large account. Without them our own limiter keeps to the documented ones. */
export const granted = ['--granted-limits', 'aws:RunInstances=1000/1000,aws:RunInstances instances=1000/1000']

export class Bench {
  readonly #lab: Lab
  readonly #options: BenchOptions
  readonly #entry: string
  readonly #cloud: LabCloud
  #metricsPort = 0
  readonly #endpoint: Endpoint

  /** `endpoint`: the address of the workload cluster. */
  constructor(lab: Lab, endpoint: Endpoint, { options, entry }: { options: BenchOptions; entry: string }) {
    this.#lab = lab
    this.#endpoint = endpoint
    this.#options = options
    this.#entry = entry
    this.#cloud = lab.clouds.find(({ name }) => name === options.cloud) ?? raise(`The lab has no ${options.cloud}.`)
  }

  /** Only the start of machines is measured under the cloud's limits. Other scenarios just need them to run. */
  get #limited(): boolean {
    return this.#options.throttled && this.#options.scenario === 'provision'
  }

  async run(): Promise<Figures> {
    const { scenario, throttled } = this.#options
    this.#cloud.limited(this.#limited)
    const namespace = await this.#lab.namespace('bench')
    const fixture = new Fixture(this.#lab, this.#cloud, namespace)
    const provisioned = await this.#provision(namespace, fixture)
    if (scenario === 'provision') return provisioned
    if (scenario === 'storm') return this.#storm(provisioned)
    if (throttled) this.#cloud.limited(true)
    if (scenario === 'restart') return this.#restart()
    const stage = {
      lab: this.#lab,
      cloud: this.#cloud,
      namespace,
      resource: fixture.machines,
      endpoint: this.#endpoint,
    }
    return benchSteady({ ...stage, count: this.#options.machines, minutes: this.#options.minutes })
  }

  async #provision(namespace: string, fixture: Fixture): Promise<Figures> {
    const { machines, scenario } = this.#options
    const wanted = scenario === 'storm' ? 'False' : 'True'
    const ready = new ReadyWatch(this.#lab, { resource: fixture.machines, namespace, wanted })
    const workload = { WORKLOAD_KUBECONFIG_B64: await kubeconfigBy(this.#lab, this.#endpoint) }
    await fixture.cluster(workload)
    await fixture.warmUp()
    await this.#start()
    await this.#readyToWork()
    await this.#others(namespace)
    if (scenario === 'storm') await this.#calmBefore(fixture, namespace)
    const before = await onCpu(this.#lab.manager.pid)
    this.#cloud.control.resetCounts()
    const names = Array.from({ length: machines }, (_, i) => `m-${String(i).padStart(5, '0')}`)
    await inParallel(20, names, async (name) => {
      ready.made(name)
      await fixture.machine(name)
    })
    await ready.until(machines)
    const after = await onCpu(this.#lab.manager.pid)
    const times = ready.times()
    const calls = this.#calls()
    const { createAction, control } = this.#cloud
    const last = control.requests().findLast(({ action }) => action === createAction)?.at
    const launchedSeconds = ready.secondsUntil(last)
    return {
      callsPerMachine: total(calls) / machines,
      machinesPerSecond: machines / (ready.spanMs / 1000),
      launchedSeconds,
      instancesPerSecond: machines / (launchedSeconds + bootMs / 1000),
      p50ReadyMs: percentile(times, 0.5),
      p99ReadyMs: percentile(times, 0.99),
      ranMs: after.ranMs - before.ranMs,
      waitedForCpuMs: after.waitedForCpuMs - before.waitedForCpuMs,
      rssMB: await this.#rss(),
      calls,
    }
  }

  /** A machine in each other cloud of the lab, so that all clouds are loaded. */
  async #others(namespace: string): Promise<void> {
    if (!this.#options.all) return
    for (const cloud of this.#lab.clouds.filter((other) => other !== this.#cloud)) {
      const fixture = new Fixture(this.#lab, cloud, namespace)
      await fixture.cluster()
      await this.#one(fixture, namespace)
    }
  }

  async #one(fixture: Fixture, namespace: string): Promise<void> {
    const ready = new ReadyWatch(this.#lab, { resource: fixture.machines, namespace })
    const name = `first-${fixture.machines.plural}`
    ready.made(name)
    await fixture.machine(name)
    await ready.until(1)
  }

  /** The storm is measured, and not the loading of the cloud's library. That leaves the gauge after half a minute. */
  async #calmBefore(fixture: Fixture, namespace: string): Promise<void> {
    await this.#one(fixture, namespace)
    await sleep(lagSeenForMs)
    this.#cloud.control.noCapacity()
  }

  async #storm({ callsPerMachine = 0, ranMs = 0, waitedForCpuMs = 0, calls }: Figures): Promise<Figures> {
    const page = await (await fetch(`http://127.0.0.1:${this.#metricsPort}/metrics`)).text()
    const seconds = /^capspot_event_loop_lag_p99_seconds (\S+)$/m.exec(page)?.[1]
    if (seconds === undefined) throw new Error('The manager does not tell how late its event loop is.')
    const loopLagP99Ms = Number(seconds) * 1000
    return { loopLagP99Ms, ranMs, waitedForCpuMs, callsPerMachine, rssMB: await this.#rss(), calls }
  }

  async #restart(): Promise<Figures> {
    this.#lab.manager.kill('SIGKILL')
    await this.#lab.manager.exited
    this.#cloud.control.resetCounts()
    const begun = this.#lab.ctx.clock.monotonic()
    await this.#start()
    while (total(this.#calls()) === 0) await sleep(20)
    const recoveryMs = this.#lab.ctx.clock.monotonic() - begun
    await sleep(10_000)
    const calls = this.#calls()
    return { recoveryMs, callsPerMachine: total(calls) / this.#options.machines, rssMB: await this.#rss(), calls }
  }

  async #start(): Promise<void> {
    this.#metricsPort = await freePort()
    await this.#lab.manager.start({
      entry: this.#entry,
      args: ['--poll-interval', '15s', '--log-level', 'warn', ...(this.#limited ? [] : granted)],
      env: { NODE_OPTIONS: nodeOptions, CAPSPOT_METRICS_BIND_ADDRESS: `127.0.0.1:${this.#metricsPort}` },
    })
  }

  /** The start of machines is measured with a running manager. Its own start is the scenario restart. */
  async #readyToWork(): Promise<void> {
    const url = `http://127.0.0.1:${this.#metricsPort}/readyz`
    const isReady = async () => (await fetch(url).catch(() => undefined))?.ok ?? false
    while (!(await isReady())) await sleep(20)
  }

  #calls(): Record<string, number> {
    const { actions } = this.#cloud.control.counts()
    return Object.fromEntries(Object.entries(actions).map(([action, { calls }]) => [action, calls]))
  }

  async #rss(): Promise<number> {
    return residentMB(this.#lab.manager.pid)
  }
}

function total(calls: Readonly<Record<string, number>>): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0)
}

function raise(message: string): never {
  throw new Error(message)
}
