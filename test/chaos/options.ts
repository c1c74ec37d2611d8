import { parseArgs } from 'node:util'
import { labCloudNames, type LabCloudName } from '../lab/clouds/start.ts'

export interface ChaosOptions {
  readonly clouds: readonly LabCloudName[]
  readonly seeds: readonly number[]
  readonly machines: number
  /** Only these points of the table; empty: all of them. */
  readonly points: readonly string[]
  /** The file for the manager's log at its highest level; undefined: none. */
  readonly log: string | undefined
  readonly json: boolean
}

export class ChaosUsage extends Error {
  override readonly name = 'ChaosUsage'
}

export const usage = `Usage: npm run chaos -- [--cloud all|${labCloudNames.join('|')}] [--seeds N | --seed S] [--machines N] [--points a,b] [--log FILE] [--json]

Kills the manager before and after each point of a machine's life, while machines are made, interrupted, announced to
end and deleted behind a list that lags, and counts what that came to: machines with two instances, instances without a
machine, strangers that were touched, Machines that were announced and stayed, or that went without a cause.

  --cloud     one cloud, or all of them one after the other (aws)
  --seeds     so many runs a cloud, with the seeds 1 to N (1)
  --seed      one run with this seed: to repeat one
  --machines  how many machines there are (30)
  --points    only these points, by commas
  --log       a file for what the manager says, at its most talkative, what core says, what the cloud was asked, and what is left
  --json      the last line is one JSON object
`

export function readChaosOptions(args: readonly string[]): ChaosOptions {
  const values = parse(args)
  const clouds = values.cloud === 'all' ? labCloudNames : labCloudNames.filter((name) => name === values.cloud)
  if (clouds.length === 0)
    throw new ChaosUsage(`--cloud is ${values.cloud}; there is ${labCloudNames.join(', ')}, all.`)
  const machines = whole('machines', values.machines, 500)
  const seeds =
    values.seed === undefined
      ? Array.from({ length: whole('seeds', values.seeds, 1000) }, (_, n) => n + 1)
      : [whole('seed', values.seed, Number.MAX_SAFE_INTEGER)]
  const points = values.points === undefined ? [] : values.points.split(',').map((name) => name.trim())
  return { clouds, seeds, machines, points, log: values.log, json: values.json }
}

function whole(flag: string, text: string, most: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new ChaosUsage(`--${flag} is ${text}; use a whole number from 1 to ${most}.`)
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        cloud: { type: 'string', default: 'aws' },
        seeds: { type: 'string', default: '1' },
        seed: { type: 'string' },
        machines: { type: 'string', default: '30' },
        points: { type: 'string' },
        log: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }).values
  } catch (thrown) {
    throw new ChaosUsage((thrown as Error).message)
  }
}
