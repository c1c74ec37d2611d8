import { parseArgs } from 'node:util'
import type { BucketTableName } from './control/bucket-control.ts'
import { parseDuration } from './duration.ts'
import type { Delays } from './options.ts'

/** A command line that cannot be followed, in one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

interface FlagRow {
  readonly value: 'cloud' | 'port' | 'file' | 'duration' | 'number' | 'real|none' | 'none'
  readonly default: string | undefined
  readonly means: string
}

const table = {
  only: { value: 'cloud', default: undefined, means: 'simulate this cloud alone; without it, all that there are' },
  port: { value: 'port', default: '0', means: 'of the first cloud, the others follow; 0: any free ports' },
  kubeconfig: { value: 'file', default: undefined, means: 'machines that boot register Nodes in this cluster' },
  'boot-delay': { value: 'duration', default: '2s', means: 'from a launch until the machine runs' },
  'stop-delay': { value: 'duration', default: '1s', means: 'from a stop until the machine is stopped' },
  'shutdown-delay': { value: 'duration', default: '1s', means: 'from a termination until the machine is gone' },
  notice: { value: 'duration', default: '0', means: 'from the notice of an interruption until it happens' },
  heartbeat: { value: 'duration', default: '10s', means: 'how often a Node says that it is alive' },
  buckets: { value: 'real|none', default: 'none', means: 'refuse calls that come too often, as the cloud itself does' },
  'kept-requests': { value: 'number', default: '10000', means: 'calls that are remembered one by one' },
  verbose: { value: 'none', default: undefined, means: 'write every call to standard error' },
  help: { value: 'none', default: undefined, means: 'say this' },
} as const satisfies Record<string, FlagRow>

export interface Flags<Cloud extends string> extends Delays {
  readonly help: boolean
  readonly clouds: readonly Cloud[]
  readonly port: number
  readonly kubeconfig: string | undefined
  readonly heartbeatMs: number
  readonly buckets: BucketTableName
  readonly keptRequests: number
  readonly verbose: boolean
}

export function readFlags<Cloud extends string>(args: readonly string[], clouds: readonly Cloud[]): Flags<Cloud> {
  const given = parse(args)
  const text = (name: keyof typeof table) => given[name] ?? table[name].default
  const duration = (name: keyof typeof table) => {
    const parsed = parseDuration(text(name) ?? '')
    if (parsed !== undefined) return parsed
    throw new UsageError(`--${name} must be a duration such as 500ms, 2s or 1m, not "${text(name)}".`)
  }
  return {
    help: given.help !== undefined,
    clouds: cloudsOf(given.only, clouds),
    port: portOf(text('port')),
    kubeconfig: given.kubeconfig,
    bootMs: duration('boot-delay'),
    stopMs: duration('stop-delay'),
    shutdownMs: duration('shutdown-delay'),
    noticeMs: duration('notice'),
    heartbeatMs: duration('heartbeat'),
    buckets: bucketsOf(text('buckets')),
    keptRequests: countOf(text('kept-requests')),
    verbose: given.verbose !== undefined,
  }
}

export function helpText(clouds: readonly string[]): string {
  const lines = Object.entries<FlagRow>(table).map(([name, { value, default: usual, means }]) => {
    const flag = value === 'none' ? `--${name}` : `--${name} <${value}>`
    return `  ${flag.padEnd(30)} ${means}${usual === undefined ? '' : ` (${usual})`}`
  })
  return [
    'Simulated clouds on 127.0.0.1. The first line of each on standard output is its facts, as JSON.',
    `Clouds: ${clouds.join(', ')}.`,
    '',
    ...lines,
    '',
    'Control: GET <url>/_control lists what can be made to happen.',
    '',
  ].join('\n')
}

function parse(args: readonly string[]): Readonly<Partial<Record<keyof typeof table, string>>> {
  const options = Object.fromEntries(
    Object.entries<FlagRow>(table).map(([name, { value }]) => [
      name,
      { type: value === 'none' ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true })
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ')
    throw new UsageError(`${sentence.replace(/\.$/, '')}; --help lists the flags.`)
  }
}

function cloudsOf<Cloud extends string>(only: string | undefined, clouds: readonly Cloud[]): readonly Cloud[] {
  if (only === undefined) return clouds
  const found = clouds.find((cloud) => cloud === only)
  if (found !== undefined) return [found]
  throw new UsageError(`--only must be one of ${clouds.join(', ')}, not "${only}".`)
}

function portOf(text: string | undefined): number {
  const port = /^\d{1,5}$/.test(text ?? '') ? Number(text) : -1
  if (port >= 0 && port <= 65_535) return port
  throw new UsageError(`--port must be a number from 0 to 65535, not "${text}".`)
}

function bucketsOf(text: string | undefined): BucketTableName {
  if (text === 'real' || text === 'none') return text
  throw new UsageError(`--buckets must be real or none, not "${text}".`)
}

function countOf(text: string | undefined): number {
  if (/^\d{1,7}$/.test(text ?? '')) return Number(text)
  throw new UsageError(`--kept-requests must be a number such as 10000, or 0 for none, not "${text}".`)
}
