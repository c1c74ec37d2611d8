import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundleManager, nodeOptions } from '../../scripts/build.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import { Fixture } from './fixture.ts'
import { BenchUsage, readBenchOptions, usage, type BenchOptions } from './options.ts'
import { percentile, ReadyWatch } from './watch-ready.ts'

/** What a run measured. Every request that reached the cloud counts, refused ones too. */
interface Figures {
  callsPerMachine?: number
  machinesPerSecond?: number
  /** From the first that was made to the last launch: what the cloud's bucket alone decides. */
  launchedSeconds?: number
  /** To instances that run, in the cloud: before anybody has seen them. */
  instancesPerSecond?: number
  p50ReadyMs?: number
  p99ReadyMs?: number
  /** From the manager's start until the last machine was seen again. */
  recoveryMs?: number
  callsPerMachineHour?: number
  rssMB: number
  calls: Readonly<Record<string, number>>
}

const steadyMs = 60_000
const bootMs = 500
/** As for an account whose limits were raised: without it our own limiter keeps to the documented ones. */
const granted = ['--granted-limits', 'aws:RunInstances=1000/1000,aws:RunInstances instances=1000/1000']
/** EC2's own for RunInstances: burst and flow. */
const launches = { burst: 5, perSecond: 2 }

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(usage)
    return 0
  }
  const options = readBenchOptions(args)
  const entry = await bundleManager()
  await using lab = await startLab({ core: false, aws: { bootMs, stopMs: 500, shutdownMs: 500 } })
  const bench = new Bench(lab, options, entry)
  const figures = await bench.run()
  print(options, figures)
  return 0
}

class Bench {
  readonly #lab: Lab
  readonly #options: BenchOptions
  readonly #entry: string

  constructor(lab: Lab, options: BenchOptions, entry: string) {
    this.#lab = lab
    this.#options = options
    this.#entry = entry
  }

  /** Only how machines come up is measured under the cloud's limits; the others just need them up. */
  get #limited(): boolean {
    return this.#options.throttled && this.#options.scenario === 'provision'
  }

  async run(): Promise<Figures> {
    const { scenario, throttled } = this.#options
    this.#lab.aws.control.buckets(this.#limited ? 'ec2' : 'none')
    const provisioned = await this.#provision()
    if (scenario === 'provision') return provisioned
    if (throttled) this.#lab.aws.control.buckets('ec2')
    return scenario === 'steady' ? this.#steady() : this.#restart()
  }

  async #provision(): Promise<Figures> {
    const { machines } = this.#options
    const namespace = await this.#lab.namespace('bench')
    const fixture = new Fixture(this.#lab, namespace)
    const ready = new ReadyWatch(this.#lab, namespace)
    await fixture.cluster()
    await this.#start()
    this.#lab.aws.control.resetCounts()
    const names = Array.from({ length: machines }, (_, i) => `m-${String(i).padStart(5, '0')}`)
    await inParallel(20, names, async (name) => {
      ready.made(name)
      await fixture.machine(name)
    })
    await ready.until(machines)
    const times = ready.times()
    const calls = this.#calls()
    const launchedSeconds = ready.secondsUntil(
      this.#lab.aws.control.requests().findLast(({ action }) => action === 'RunInstances')?.at,
    )
    return {
      callsPerMachine: total(calls) / machines,
      machinesPerSecond: machines / (ready.spanMs / 1000),
      launchedSeconds,
      instancesPerSecond: machines / (launchedSeconds + bootMs / 1000),
      p50ReadyMs: percentile(times, 0.5),
      p99ReadyMs: percentile(times, 0.99),
      rssMB: await this.#rss(),
      calls,
    }
  }

  async #steady(): Promise<Figures> {
    const { machines } = this.#options
    await sleep(20_000)
    this.#lab.aws.control.resetCounts()
    await sleep(steadyMs)
    const calls = this.#calls()
    const hours = steadyMs / 3_600_000
    return { callsPerMachineHour: total(calls) / machines / hours, rssMB: await this.#rss(), calls }
  }

  async #restart(): Promise<Figures> {
    this.#lab.manager.kill('SIGKILL')
    await this.#lab.manager.exited
    this.#lab.aws.control.resetCounts()
    const begun = this.#lab.ctx.clock.monotonic()
    await this.#start()
    while (!this.#calls()['DescribeInstances']) await sleep(20)
    const recoveryMs = this.#lab.ctx.clock.monotonic() - begun
    await sleep(10_000)
    const calls = this.#calls()
    return { recoveryMs, callsPerMachine: total(calls) / this.#options.machines, rssMB: await this.#rss(), calls }
  }

  async #start(): Promise<void> {
    await this.#lab.manager.start({
      entry: this.#entry,
      args: ['--poll-interval', '15s', '--log-level', 'warn', ...(this.#limited ? [] : granted)],
      env: { NODE_OPTIONS: nodeOptions },
    })
  }

  #calls(): Record<string, number> {
    const { actions } = this.#lab.aws.control.counts()
    return Object.fromEntries(Object.entries(actions).map(([action, { calls }]) => [action, calls]))
  }

  async #rss(): Promise<number> {
    const status = await readFile(`/proc/${this.#lab.manager.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
  }
}

function print(options: BenchOptions, figures: Figures): void {
  const { scenario, cloud, machines, throttled, json } = options
  const { calls, ...numbers } = figures
  const lines = Object.entries(numbers).map(([name, value]) => `${name.padEnd(22)} ${round(value)}`)
  const made = Object.entries(calls).map(([action, count]) => `${`  ${action}`.padEnd(22)} ${count}`)
  const bound = Math.max(0, machines - launches.burst) / launches.perSecond
  const best = throttled && scenario === 'provision' ? [`${'bucketAllowsSeconds'.padEnd(22)} ${bound}`] : []
  process.stdout.write(
    `${[`${scenario}, ${cloud}, ${machines} machines`, ...lines, ...best, 'calls', ...made].join('\n')}\n`,
  )
  if (!json) return
  const rounded = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, round(value)]))
  process.stdout.write(`${JSON.stringify({ scenario, cloud, machines, ...rounded, calls })}\n`)
}

async function inParallel<T>(workers: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}

function total(calls: Readonly<Record<string, number>>): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

process.exitCode = await main(process.argv.slice(2)).catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  return thrown instanceof BenchUsage ? 2 : 1
})
