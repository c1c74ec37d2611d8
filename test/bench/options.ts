import { parseArgs } from 'node:util'
import { cloudsOf, noticeSources, type NoticeSource } from './interruption/source.ts'
import { labCloudNames, type LabCloudName } from '../lab/clouds/start.ts'

export const scenarios = [
  'provision',
  'steady',
  'restart',
  'storm',
  'remediation',
  'drought',
  'fallback',
  'hostile',
  'interrupt',
  'queue',
  'agent',
] as const
export type Scenario = (typeof scenarios)[number]

export interface BenchOptions {
  readonly scenario: Scenario
  readonly cloud: LabCloudName
  /** The other clouds run too, each with a machine. */
  readonly all: boolean
  readonly machines: number
  /** The time without capacity, or without an event. */
  readonly minutes: number
  /** Whether the simulated cloud limits the rate of calls as the real one does. */
  readonly throttled: boolean
  /** All machines get their notice in the same moment. */
  readonly atOnce: boolean
  /** Machines have `fallback`: other types, then on demand. */
  readonly rungs: boolean
  /** The `backoff.maxSeconds` of their InterruptionPolicy. */
  readonly maxSeconds: number
  /** Undefined: one after the other. */
  readonly source: NoticeSource | undefined
  /** The number of messages without an effect. */
  readonly poison: number
  /** Another SQS than the simulator of the lab. */
  readonly endpoint?: string
  /** More flags of Cluster API's core. */
  readonly coreFlags: readonly string[]
  readonly json: boolean
}

export class BenchUsage extends Error {
  override readonly name = 'BenchUsage'
}

export const usage = `Usage: npm run bench -- provision|steady|restart|storm|remediation|drought|fallback|hostile|interrupt|queue|agent [--cloud ${labCloudNames.join('|')}] [--all] [--machines N]
                       [--minutes N] [--unthrottled] [--at-once] [--rungs] [--max-seconds N]
                       [--source ${noticeSources.join('|')}] [--poison N] [--endpoint URL] [--json]

  provision    from nothing to N running machines: calls, machines a second, time to Ready
  steady       N machines that run and nothing that happens: calls an hour. Then the same while their workload cluster
               accepts connections and does not answer
  restart      the manager is killed with N machines running, and started again

  storm        N machines that the cloud refuses for lack of capacity: how long the event loop was held up

  remediation  a MachineDeployment of N, of which ten are taken back in turn: from the cloud's stop to the new instance
               running, with Cluster API's real core

  drought      a MachineDeployment of N that is made while there is no capacity: what it costs until it is served, and
               how long machines wait for their turn to make their first request

  --max-seconds  the longest such wait and the longest pause, in their policy: 30 to 86400; 1800
  --rungs        they have fallback, to 36 offerings in all. Until there is capacity no Machine is replaced

  fallback     N machines that ask for spot, of which there is none: from the answer of the cloud to the next request
               of the same machine, which is for on demand

  hostile      a MachineDeployment of N, of which some are taken back in turn, beside a tenant who does all at once that
               a namespace allows to stop the manager

  interrupt    N machines that get a notice, 2 s apart, with a Pod that takes 60 s to end: from the notice to the
               deletion, to the replacement and until that is available. Beside them three are replaced afterwards,
               and three are deleted without a notice. By agents, which run on five Nodes at a time: from the notice
               to the condition of the Node, and from there to the deletion
  --at-once      all of them in one moment, in five MachineDeployments, without limits of calls: beside a client that
                 only makes the same writes, and beside core's own scale-up
  --source       where the manager hears of notices first, and --cloud for that of agents. Left out: one after the
                 other, each in a lab of its own; with --at-once spot-requests

  queue        a queue of SQS with messages that must have no effect, and with two real notices: how long until all are
               gone, and until the Machines of the notices are deleted
  --poison N     how many messages; 10000
  --endpoint URL the queue is in the SQS there, which has to take the key of the lab, such as moto's

  agent        what the agent costs a Node of EC2, of Azure and of GCE: CPU of all its threads, memory, size of its file.
               Compare cpuRatio: it is the CPU beside a process that only asks as often as the agent on EC2

  --machines N   100; for queue 10, for fallback 20
  --minutes N    how long that is: drought 25, steady 5, agent a third
  --all          the other clouds are there too, each with a machine
  --unthrottled  the simulated cloud takes calls at any rate; else its documented limits hold
  --core-flag F  one more flag of Cluster API's core, such as --core-flag=--clustercache-client-qps=100; any number of times
  --json         the last line is one JSON object
`

export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parse(args)
  const [named, ...rest] = positionals
  const scenario = scenarios.find((name) => name === named)
  if (!scenario || rest.length > 0) throw new BenchUsage(`Name one scenario: ${scenarios.join(', ')}.`)
  const cloud = oneOf('cloud', values.cloud, labCloudNames)
  const most = 5_000
  const machines = numberOf('machines', values.machines ?? usualMachines[scenario] ?? '100', { most })
  const poison = numberOf('poison', values.poison, { most: 50_000 })
  const minutes = minutesOf(values.minutes ?? usualMinutes[scenario] ?? '25')
  const maxSeconds = numberOf('max-seconds', values['max-seconds'], { least: 30, most: 86_400 })
  const { all, json, unthrottled, endpoint, rungs } = values
  const atOnce = values['at-once']
  if (rungs && (scenario !== 'drought' || cloud !== 'aws')) {
    throw new BenchUsage('--rungs is for drought, and only --cloud aws has it.')
  }
  const source = readSource(values.source, { scenario, cloud, atOnce })
  const given = {
    scenario,
    cloud,
    all,
    machines,
    minutes,
    throttled: !unthrottled,
    atOnce,
    rungs,
    maxSeconds,
    source,
    poison,
    coreFlags: values['core-flag'],
    json,
  }
  return endpoint === undefined ? given : { ...given, endpoint }
}

function minutesOf(value: string): number {
  const minutes = Number(value)
  if (minutes > 0 && minutes <= 600) return minutes
  throw new BenchUsage(`--minutes is ${value}; use a number above 0 and up to 600.`)
}

const usualMinutes: Partial<Record<Scenario, string>> = { steady: '5', agent: String(1 / 3) }
const usualMachines: Partial<Record<Scenario, string>> = { queue: '10', fallback: '20' }

function oneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value)
  if (found === undefined) throw new BenchUsage(`--${option} is ${value}; there is ${names.join(', ')}.`)
  return found
}

function numberOf(name: string, value: string, { least = 1, most }: { least?: number; most: number }): number {
  const count = Number(value)
  if (Number.isInteger(count) && count >= least && count <= most) return count
  throw new BenchUsage(`--${name} is ${value}; use a whole number from ${least} to ${most}.`)
}

function readSource(
  given: string | undefined,
  { scenario, cloud, atOnce }: Pick<BenchOptions, 'scenario' | 'cloud' | 'atOnce'>,
): NoticeSource | undefined {
  const source = given === undefined ? undefined : oneOf('source', given, noticeSources)
  if ((scenario === 'interrupt' || scenario === 'queue') && !cloudsOf[source ?? 'queue'].includes(cloud)) {
    throw new BenchUsage(`--cloud is ${cloud}, and its notices do not come by this source.`)
  }
  if (atOnce && source === 'agent') throw new BenchUsage('With --at-once there are no agents: use another --source.')
  return source
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        cloud: { type: 'string', default: 'aws' },
        machines: { type: 'string' },
        poison: { type: 'string', default: '10000' },
        endpoint: { type: 'string' },
        minutes: { type: 'string' },
        all: { type: 'boolean', default: false },
        source: { type: 'string' },
        rungs: { type: 'boolean', default: false },
        'max-seconds': { type: 'string', default: '1800' },
        'at-once': { type: 'boolean', default: false },
        unthrottled: { type: 'boolean', default: false },
        'core-flag': { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
      },
    })
  } catch (thrown) {
    throw new BenchUsage((thrown as Error).message)
  }
}
