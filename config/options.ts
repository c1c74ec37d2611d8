import { parseArgs } from 'node:util'

/** One way to set the manager. The page of options is made from this table. */
interface Option<T> {
  readonly flag: string
  readonly variable: string
  readonly fallback: string
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
    meaning: 'Act on objects of this namespace only. Empty: on all.',
    parse: text,
  }),
  pollInterval: option({
    flag: 'poll-interval',
    variable: 'CAPSPOT_POLL_INTERVAL',
    fallback: '15s',
    meaning: 'How often each account and region is listed while nothing is on its way there.',
    parse: duration,
  }),
  logLevel: option({
    flag: 'log-level',
    variable: 'CAPSPOT_LOG_LEVEL',
    fallback: 'info',
    meaning: 'The least that is logged: debug, info, warn or error.',
    parse: logLevel,
  }),
  workers: option({
    flag: 'workers',
    variable: 'CAPSPOT_WORKERS',
    fallback: '32',
    meaning: 'How many machines are worked on at the same time.',
    parse: count,
  }),
} as const

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export type Options = { readonly [K in keyof typeof options]: ReturnType<(typeof options)[K]['parse']> }

/** A sentence that names the option, what was given and what would do. */
export class BadOption extends Error {
  override readonly name = 'BadOption'
}

/** What main runs with: read once, frozen, passed down as values. */
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

/** What `--help` prints. */
export function usage(): string {
  const rows = Object.values(options).map(
    ({ flag, variable, fallback, meaning }) =>
      `  --${flag}  (${variable}${fallback === '' ? '' : `, default ${fallback}`})\n      ${meaning}`,
  )
  return ['Usage: npm run manager -- [options]', '', ...rows, ''].join('\n')
}

function flagsIn(args: readonly string[]): Record<string, string | undefined> {
  const known = Object.fromEntries(Object.values(options).map(({ flag }) => [flag, { type: 'string' as const }]))
  try {
    const { values } = parseArgs({ args: [...args], options: known, strict: true, allowPositionals: false })
    return values
  } catch (thrown) {
    throw new BadOption(`${(thrown as Error).message.split('. ')[0]}. See --help for what there is.`)
  }
}

function option<T>(row: Option<T>): Option<T> {
  return row
}

function text(value: string): string {
  return value
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** In milliseconds. */
function duration(value: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(value) ?? []
  const ms = Number(number) * (units[unit ?? ''] ?? Number.NaN)
  if (!(ms >= 1)) throw new Error('use a positive number with a unit, such as 500ms, 15s or 2m.')
  return ms
}

function logLevel(value: string): LogLevel {
  if (value === 'debug' || value === 'info' || value === 'warn' || value === 'error') return value
  throw new Error('use debug, info, warn or error.')
}

function count(value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value)
  throw new Error('use a whole number from 1 to 9999.')
}
