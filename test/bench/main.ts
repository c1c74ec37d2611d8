import { labCloudNames } from '../lab/clouds/start.ts'
import { Endpoint } from '../lab/endpoint.ts'
import { ownBundle } from '../lab/processes/own-bundle.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import { Bench, bootMs, type Figures } from './bench.ts'
import { benchAgent } from './agent.ts'
import { benchDrought } from './drought.ts'
import { benchFallback } from './fallback.ts'
import { benchHostile } from './hostile.ts'
import { benchRemediation } from './remediation.ts'
import { benchAtOnce } from './interruption/at-once.ts'
import { benchByAgent } from './interruption/by-agent.ts'
import { everySource } from './interruption/interrupt.ts'
import { benchSpread } from './interruption/spread.ts'
import { benchQueue } from './poison/queue.ts'
import { BenchUsage, readBenchOptions, usage, type BenchOptions, type Scenario } from './options.ts'

/** EC2's own for RunInstances: burst and flow. */
const launches = { burst: 5, perSecond: 2 }

const withCore: ReadonlySet<Scenario> = new Set(['remediation', 'drought', 'hostile', 'interrupt', 'queue'])
/** As a real kubelet writes its Node. */
const heartbeatMs = 300_000

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(usage)
    return 0
  }
  const options = readBenchOptions(args)
  await using bundle = await ownBundle()
  const { entry } = bundle
  const isEvery = options.scenario === 'interrupt' && !options.atOnce && options.source === undefined
  const measured = isEvery
    ? everySource(options, (one) => inLab(one, entry))
    : inLab({ ...options, source: options.source ?? 'spot-requests' }, entry)
  print(options, await measured)
  return 0
}

async function inLab(options: BenchOptions, entry: string): Promise<Figures> {
  const { cloud, all, scenario, coreFlags } = options
  await using lab = await startLab({
    core: withCore.has(scenario) ? { args: coreFlags } : false,
    clouds: all ? labCloudNames : [cloud],
    ...(scenario === 'interrupt' || scenario === 'steady' ? { heartbeatMs } : {}),
    delays: { bootMs, stopMs: 500, shutdownMs: 500 },
  })
  return await measure(lab, options, entry)
}

async function measure(lab: Lab, options: BenchOptions, entry: string): Promise<Figures> {
  if (options.scenario === 'agent') return benchAgent(lab, options)
  if (options.scenario === 'remediation') return benchRemediation(lab, options, entry)
  if (options.scenario === 'drought') return benchDrought(lab, options, entry)
  if (options.scenario === 'fallback') return benchFallback(lab, options, entry)
  if (options.scenario === 'hostile') return benchHostile(lab, options, entry)
  if (options.scenario === 'interrupt') {
    if (options.source === 'agent') return benchByAgent(lab, options, entry)
    return options.atOnce ? benchAtOnce(lab, options, entry) : benchSpread(lab, options, entry)
  }
  if (options.scenario === 'queue') return benchQueue(lab, options, entry)
  await using endpoint = await Endpoint.start(Number(new URL(lab.cluster.admin.server).port))
  return await new Bench(lab, endpoint, { options, entry }).run()
}

function print(options: BenchOptions, figures: Figures): void {
  const { scenario, cloud, machines, throttled, json } = options
  // The agent has Nodes of three clouds and no machine.
  const about = scenario === 'agent' ? { scenario } : { scenario, cloud, machines }
  const { calls, ...numbers } = figures
  const lines = Object.entries(numbers).map(([name, value]) => `${name.padEnd(22)} ${round(value)}`)
  const made = Object.entries(calls).map(([action, count]) => `${`  ${action}`.padEnd(22)} ${count}`)
  const bound = Math.max(0, machines - launches.burst) / launches.perSecond
  const best =
    cloud === 'aws' && throttled && scenario === 'provision' ? [`${'bucketAllowsSeconds'.padEnd(22)} ${bound}`] : []
  process.stdout.write(
    `${[scenario === 'agent' ? scenario : `${scenario}, ${cloud}, ${machines} machines`, ...lines, ...best, 'calls', ...made].join('\n')}\n`,
  )
  if (!json) return
  const rounded = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, round(value)]))
  process.stdout.write(`${JSON.stringify({ ...about, ...rounded, calls })}\n`)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

process.exitCode = await main(process.argv.slice(2)).catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  return thrown instanceof BenchUsage ? 2 : 1
})
