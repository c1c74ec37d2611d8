import { cameToNothing, type Attempt, type AttemptPatterns } from '../attempt.ts'
import type { Scope } from '../scope.ts'
import { annotations } from '../labels.ts'

/** What an attempt is judged by. */
export interface AttemptContext {
  readonly cloud: string
  readonly patterns: AttemptPatterns
  /** Where the machines of the infrastructure cluster live, while that exists, and what it is called. */
  readonly home: { readonly scope: Scope; readonly name: string } | undefined
}

/**
 * Why this attempt is not followed; undefined where it fits. The annotation may have been written by anybody who may
 * write the object, and what it names is listed, asked and ended with the manager's credentials. So while the
 * infrastructure cluster exists the place is taken from there; the frozen one counts only when that is gone.
 */
export function misfitOf(attempt: Attempt, { cloud, patterns, home }: AttemptContext): string | undefined {
  const { scope } = attempt
  if (scope.cloud !== cloud) return told('scope.cloud', `is not ${cloud}`)
  const misspelt = spellings(attempt, patterns).find(([, value, pattern]) => !isSpelt(value, pattern))
  if (misspelt) return told(misspelt[0], `is not a valid name in ${cloud}`)
  // The account is corrected where the first credentials were of another one, and whoever was refused there may go.
  const isFree = (field: string) => field === 'account' && cameToNothing(attempt)
  const other = home && differing.find((field) => !isFree(field) && !isSame(scope[field], home.scope[field], field))
  return other && told(`scope.${other}`, `is ${scope[other] ?? 'missing'}, but ${home.name} has ${home.scope[other]}`)
}

const differing = ['identity', 'region', 'account', 'within'] as const

/** An account may be learnt later. Azure takes capital and small letters of a resource group for the same. */
function isSame(one: string | undefined, other: string | undefined, field: (typeof differing)[number]): boolean {
  if (field === 'account' && (one === undefined || other === undefined)) return true
  return one?.toLowerCase() === other?.toLowerCase()
}

type Spelling = readonly [field: string, value: string | undefined, pattern: RegExp | undefined]

function spellings({ scope, at, exclude = [], handle }: Attempt, patterns: AttemptPatterns): Spelling[] {
  return [
    ['scope.region', scope.region, patterns.region],
    ['scope.account', scope.account, patterns.account],
    ['scope.within', scope.within, patterns.within],
    // Azure has regions without zones.
    ['at.zone', at?.zone || undefined, patterns.zone],
    ['at.subnet', at?.subnet, patterns.subnet],
    ...exclude.map((place) => ['exclude', place, patterns.subnet] as const),
    ['handle', handle, patterns.handle],
  ]
}

/** Where the cloud has no such field, none may be named. */
function isSpelt(value: string | undefined, pattern: RegExp | undefined): boolean {
  return value === undefined || (pattern?.test(value) ?? false)
}

/** Without the value where it is misspelt: whoever wrote it can read it there. */
function told(field: string, what: string): string {
  return `In annotation ${annotations.attempt} ${field} ${what}.`
}
