import { parseArgs } from 'node:util'
import { namespaceAccountsIn } from './namespace-accounts.ts'
import { queueUrls } from './queue-urls.ts'

/** One setting of the manager. The page of options is generated from this table. */
interface Option<T> {
  readonly flag: string
  readonly variable: string
  readonly fallback: string
  /** On or off: the flag alone means on. */
  readonly isSwitch?: true
  /** A sentence or two for people. */
  readonly meaning: string
  readonly parse: (text: string) => T
}

/** Every option of the manager: flag, variable, default, meaning. A flag wins over its variable. */
export const options = {
  kubeconfig: option({
    flag: 'kubeconfig',
    variable: 'KUBECONFIG',
    fallback: '',
    meaning: 'Kubeconfig of the management cluster. Empty: the service account of the pod.',
    parse: text,
  }),
  namespace: option({
    flag: 'namespace',
    variable: 'CAPSPOT_NAMESPACE',
    fallback: '',
    meaning: 'Act only on objects of this namespace. Empty: on all namespaces.',
    parse: text,
  }),
  watchFilter: option({
    flag: 'watch-filter',
    variable: 'CAPSPOT_WATCH_FILTER',
    fallback: '',
    meaning:
      'Act only on objects whose label cluster.x-k8s.io/watch-filter has this value. This holds for Clusters, Machines and the kinds of this provider. Empty: on all.',
    parse: labelValue,
  }),
  pollInterval: option({
    flag: 'poll-interval',
    variable: 'CAPSPOT_POLL_INTERVAL',
    fallback: '15s',
    meaning: 'How often the manager lists each account and region while no instance starts or ends there.',
    parse: duration,
  }),
  logLevel: option({
    flag: 'log-level',
    variable: 'CAPSPOT_LOG_LEVEL',
    fallback: 'info',
    meaning: 'The lowest level that is logged: trace (each request), debug, info, warn or error.',
    parse: logLevel,
  }),
  workers: option({
    flag: 'workers',
    variable: 'CAPSPOT_WORKERS',
    fallback: '32',
    meaning: 'How many machines the manager reconciles at the same time.',
    parse: count,
  }),
  grantedLimits: option({
    flag: 'granted-limits',
    variable: 'CAPSPOT_GRANTED_LIMITS',
    fallback: '',
    meaning:
      'Call rates that a cloud grants this account above the documented rates. Write cloud:bucket=burst/per-second, separated by commas: aws:RunInstances=100/20. docs/options.md lists the buckets.',
    parse: grantedLimits,
  }),
  awsInterruptionQueues: option({
    flag: 'aws-interruption-queues',
    variable: 'CAPSPOT_AWS_INTERRUPTION_QUEUES',
    fallback: '',
    meaning:
      'The URLs of SQS queues to which EventBridge sends the notices of EC2 and AWS Health, separated by commas. Each manager needs its own queue in each region (config/aws). Empty: none.',
    parse: queueUrls,
  }),
  namespaceAccounts: option({
    flag: 'namespace-accounts',
    variable: 'CAPSPOT_NAMESPACE_ACCOUNTS',
    fallback: '',
    meaning:
      'A YAML file that says which accounts, subscriptions and projects each namespace may use (docs/security.md). The manager reads it at the start. Empty: every namespace may use every account.',
    parse: namespaceAccountsIn,
  }),
  orphans: option({
    flag: 'orphans',
    variable: 'CAPSPOT_ORPHANS',
    fallback: 'Terminate',
    meaning:
      'What the manager does with its instances that belong to no machine. Terminate ends them. Report only lists them in a condition.',
    parse: orphans,
  }),
  capacityPools: option({
    flag: 'capacity-pools',
    variable: 'CAPSPOT_CAPACITY_POOLS',
    fallback: 'true',
    isSwitch: true,
    meaning:
      'Write CapacityPools, and read them at the start (docs/capacity-pools.md). With --capacity-pools=false the manager does neither.',
    parse: yesOrNo,
  }),
  hintBindAddress: option({
    flag: 'hint-bind-address',
    variable: 'CAPSPOT_HINT_BIND_ADDRESS',
    fallback: '0',
    meaning:
      'The address for hints, as host:port. POST /hint/CLOUD/REGION makes the manager list that region at once. 0: no hints.',
    parse: bindAddress,
  }),
  hintTokenFile: option({
    flag: 'hint-token-file',
    variable: 'CAPSPOT_HINT_TOKEN_FILE',
    fallback: '',
    meaning: 'A file with the bearer token of hints. The manager reads it for each hint. Empty: every hint is refused.',
    parse: text,
  }),
  leaderElect: option({
    flag: 'leader-elect',
    variable: 'CAPSPOT_LEADER_ELECT',
    fallback: 'false',
    isSwitch: true,
    meaning: 'Wait for the Lease before acting, and exit when it is lost. More than one replica needs it.',
    parse: yesOrNo,
  }),
  leaderElectionNamespace: option({
    flag: 'leader-election-namespace',
    variable: 'CAPSPOT_LEADER_ELECTION_NAMESPACE',
    fallback: '',
    meaning: 'The namespace of the Lease. Empty: the namespace of the pod, or capspot-system outside of a cluster.',
    parse: text,
  }),
  leaderElectionId: option({
    flag: 'leader-election-id',
    variable: 'CAPSPOT_LEADER_ELECTION_ID',
    fallback: 'controller-leader-election-capspot',
    meaning:
      'The name of the Lease. Managers that share the work by --namespace or --watch-filter each need their own Lease, and a Role for it.',
    parse: text,
  }),
  leaderElectionIdentity: option({
    flag: 'leader-election-identity',
    variable: 'CAPSPOT_LEADER_ELECTION_IDENTITY',
    fallback: '',
    meaning:
      'The holder identity of the Lease. Each process adds a random suffix. With the uid of the pod, a restarted container takes over the Lease at once. Two pods must not share it. Empty: the host name and a random id.',
    parse: text,
  }),
  metricsBindAddress: option({
    flag: 'metrics-bind-address',
    variable: 'CAPSPOT_METRICS_BIND_ADDRESS',
    fallback: ':8080',
    meaning:
      'The address of /metrics, /healthz and /readyz, as host:port. Without a host: all addresses. 0: not served.',
    parse: bindAddress,
  }),
} as const

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error'
export type Orphans = 'Terminate' | 'Report'

const rows: readonly Option<unknown>[] = Object.values(options)

export type Options = { readonly [K in keyof typeof options]: ReturnType<(typeof options)[K]['parse']> }

/** A sentence that names the option, the given value and what would be accepted. */
export class BadOption extends Error {
  override readonly name = 'BadOption'
}

/** The settings of main: read once, frozen, passed down as values. */
export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Options {
  const given = flagsIn(args)
  const read = Object.entries(options).map(([name, { flag, variable, fallback, parse }]) => {
    const value = given[flag] ?? environment[variable] ?? fallback
    try {
      return [name, parse(value)]
    } catch (thrown) {
      throw new BadOption(`--${flag} (or ${variable}) is ${JSON.stringify(value)}: ${(thrown as Error).message}`)
    }
  })
  return Object.freeze(Object.fromEntries(read)) as Options
}

/** The text of `--help`. */
export function usage(): string {
  const told = rows.map(
    ({ flag, variable, fallback, meaning }) =>
      `  --${flag}  (${variable}${fallback === '' ? '' : `, default ${fallback}`})\n      ${meaning}`,
  )
  return ['Usage: npm run manager -- [options]', '', ...told, ''].join('\n')
}

function flagsIn(args: readonly string[]): Record<string, string | undefined> {
  const known = Object.fromEntries(rows.map(({ flag }) => [flag, { type: 'string' as const }]))
  const switches = new Set(rows.filter(({ isSwitch }) => isSwitch).map(({ flag }) => `--${flag}`))
  const spelledOut = args.map((arg) => (switches.has(arg) ? `${arg}=true` : arg))
  try {
    const { values } = parseArgs({ args: spelledOut, options: known, strict: true, allowPositionals: false })
    return values
  } catch (thrown) {
    throw new BadOption(`${(thrown as Error).message.split('. ')[0]}. See --help for all options.`)
  }
}

function option<T>(row: Option<T>): Option<T> {
  return row
}

function text(value: string): string {
  return value
}

/** Empty, or a value that the API server accepts for a label. */
function labelValue(value: string): string {
  if (/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/.test(value)) return value
  throw new Error('use a value that a label can have: up to 63 letters, digits, - _ and .')
}

function yesOrNo(value: string): boolean {
  if (value === 'true') return true
  if (value === 'false') return false
  throw new Error('use true or false.')
}

function orphans(value: string): Orphans {
  if (value === 'Terminate' || value === 'Report') return value
  throw new Error('use Terminate or Report.')
}

/** Undefined: no server. Without a host: on all addresses. */
function bindAddress(value: string): { readonly host?: string; readonly port: number } | undefined {
  if (value === '0') return undefined
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:\s]*)):(\d{1,5})$/.exec(value) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (port <= 65_535) return host ? { host, port } : { port }
  throw new Error('use :8080, 127.0.0.1:8080 or [::1]:8080; 0 for none.')
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** In milliseconds. */
function duration(value: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(value) ?? []
  const ms = Number(number) * (units[unit ?? ''] ?? Number.NaN)
  if (!(ms >= 1)) throw new Error('use a positive number with a unit, such as 500ms, 15s or 2m.')
  return ms
}

const logLevels: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error']

function logLevel(value: string): LogLevel {
  const known = logLevels.find((level) => level === value)
  if (known) return known
  throw new Error('use trace, debug, info, warn or error.')
}

function count(value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value)
  throw new Error('use a whole number from 1 to 9999.')
}

export type GrantedLimits = Readonly<Record<string, Readonly<Record<string, { burst: number; perSecond: number }>>>>

function grantedLimits(value: string): GrantedLimits {
  const granted: Record<string, Record<string, { burst: number; perSecond: number }>> = {}
  for (const entry of value.split(',').filter(Boolean)) {
    const [, cloud, bucket, burst, perSecond] =
      /^([a-z]+):([A-Za-z ]+)=(\d+)\/(\d+(?:\.\d+)?)$/.exec(entry.trim()) ?? []
    const limits = { burst: Number(burst), perSecond: Number(perSecond) }
    if (!cloud || !bucket || !(limits.burst >= 1) || !(limits.perSecond > 0)) {
      throw new Error('write each as cloud:bucket=burst/per-second, such as aws:RunInstances=100/20.')
    }
    granted[cloud] = { ...granted[cloud], [bucket]: limits }
  }
  return granted
}
