import { parseArgs } from 'node:util'
import { noticeSources, type NoticeSource } from './interruption/source.ts'
import { labCloudNames, type LabCloudName } from '../lab/clouds/start.ts'

export const scenarios = [
  'provision',
  'steady',
  'restart',
  'storm',
  'remediation',
  'drought',
  'hostile',
  'interrupt',
] as const
export type Scenario = (typeof scenarios)[number]

export interface BenchOptions {
  readonly scenario: Scenario
  readonly cloud: LabCloudName
  /** The other clouds run too, each with a machine. */
  readonly all: boolean
  readonly machines: number
  /** The time without capacity. */
  readonly minutes: number
  /** Whether the simulated cloud limits the rate of calls as the real one does. */
  readonly throttled: boolean
  /** All machines get their notice in the same moment. */
  readonly atOnce: boolean
  readonly source: NoticeSource
  readonly json: boolean
}

export class BenchUsage extends Error {
  override readonly name = 'BenchUsage'
}

export const usage = `Usage: npm run bench -- provision|steady|restart|storm|remediation|drought|hostile|interrupt [--cloud ${labCloudNames.join('|')}] [--all] [--machines N]
                       [--minutes N] [--unthrottled] [--at-once]
                       [--source ${noticeSources.join('|')}] [--json]

  provision    from nothing to N running machines: calls, machines a second, time to Ready
  steady       N machines that run and nothing that happens: calls an hour
  restart      the manager is killed with N machines running, and started again

  storm        N machines that the cloud refuses for lack of capacity: how long the event loop was held up

  remediation  a MachineDeployment of N, of which ten are taken back in turn: from the cloud's stop to the new instance
               running, with Cluster API's real core

  drought      a MachineDeployment of N that is made while there is no capacity: what it costs until it is served

  hostile      a MachineDeployment of N, of which some are taken back in turn, beside a tenant who does all at once that
               a namespace allows to stop the manager

  interrupt    N machines of EC2 that get a notice, 2 s apart, with a Pod that takes 60 s to end: from the notice to the
               deletion, to the replacement and until that is available. Beside them three are replaced afterwards,
               and three are deleted without a notice
  --at-once      all of them in one moment, in five MachineDeployments, without limits of calls: beside a client that
                 only makes the same writes, and beside core's own scale-up
  --source       where the manager hears of notices first; spot-requests
  --minutes N    how long that is; 25
  --all          the other clouds are there too, each with a machine
  --unthrottled  the simulated cloud takes calls at any rate; else its documented limits hold
  --json         the last line is one JSON object
`

export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parse(args)
  const [given, ...rest] = positionals
  const scenario = scenarios.find((name) => name === given)
  if (!scenario || rest.length > 0) throw new BenchUsage(`Name one scenario: ${scenarios.join(', ')}.`)
  const cloud = labCloudNames.find((name) => name === values.cloud)
  if (!cloud) throw new BenchUsage(`--cloud is ${values.cloud}; there is ${labCloudNames.join(', ')}.`)
  const machines = Number(values.machines)
  if (!Number.isInteger(machines) || machines < 1 || machines > 5000) {
    throw new BenchUsage(`--machines is ${values.machines}; use a whole number from 1 to 5000.`)
  }
  const minutes = Number(values.minutes)
  if (!(minutes > 0 && minutes <= 600)) {
    throw new BenchUsage(`--minutes is ${values.minutes}; use a number above 0 and up to 600.`)
  }
  const { all, json, unthrottled } = values
  const atOnce = values['at-once']
  if (scenario === 'interrupt' && cloud !== 'aws') throw new BenchUsage('Only EC2 shows its notices: use --cloud aws.')
  const source = noticeSources.find((name) => name === values.source)
  if (!source) throw new BenchUsage(`--source is ${values.source}; there is ${noticeSources.join(', ')}.`)
  return { scenario, cloud, all, machines, minutes, throttled: !unthrottled, atOnce, source, json }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        cloud: { type: 'string', default: 'aws' },
        machines: { type: 'string', default: '100' },
        minutes: { type: 'string', default: '25' },
        all: { type: 'boolean', default: false },
        source: { type: 'string', default: 'spot-requests' },
        'at-once': { type: 'boolean', default: false },
        unthrottled: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    })
  } catch (thrown) {
    throw new BenchUsage((thrown as Error).message)
  }
}
