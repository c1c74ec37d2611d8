import { cameToNothing, type Attempt, type AttemptPatterns } from '../attempt.ts'
import type { Scope } from '../scope.ts'
import { annotations } from '../labels.ts'

/** The facts that an attempt is compared with. */
export interface AttemptContext {
  readonly cloud: string
  readonly patterns: AttemptPatterns
  /** The scope and the name of the infrastructure cluster, while it exists. */
  readonly home: { readonly scope: Scope; readonly name: string } | undefined
}

/**
 * Why this attempt is not used; undefined if it fits. Anybody who may write the object may have written the annotation,
 * and the manager would list, call and terminate there with its own credentials. So while the infrastructure cluster
 * exists, the scope comes from there. The stored scope counts only when it is gone.
 */
export function misfitOf(attempt: Attempt, { cloud, patterns, home }: AttemptContext): string | undefined {
  const { scope } = attempt
  if (scope.cloud !== cloud) return told('scope.cloud', `is not ${cloud}`)
  const misspelt = spellings(attempt, patterns).find(([, value, pattern]) => !isSpelt(value, pattern))
  if (misspelt) return told(misspelt[0], `is not a valid name in ${cloud}`)
  // If the first credentials belonged to another account, the account is corrected, and a machine refused there may go.
  const isFree = (field: string) => field === 'account' && cameToNothing(attempt)
  const other = home && differing.find((field) => !isFree(field) && !isSame(scope[field], home.scope[field], field))
  return other && told(`scope.${other}`, `is ${scope[other] ?? 'missing'}, but ${home.name} has ${home.scope[other]}`)
}

const differing = ['identity', 'region', 'account', 'within'] as const

/** The account may become known later. Azure does not distinguish capital letters in the name of a resource group. */
function isSame(one: string | undefined, other: string | undefined, field: (typeof differing)[number]): boolean {
  if (field === 'account' && (one === undefined || other === undefined)) return true
  return one?.toLowerCase() === other?.toLowerCase()
}

type Spelling = readonly [field: string, value: string | undefined, pattern: RegExp | undefined]

function spellings({ scope, choice, at, exclude = [], handle }: Attempt, patterns: AttemptPatterns): Spelling[] {
  return [
    ['scope.region', scope.region, patterns.region],
    ['scope.account', scope.account, patterns.account],
    ['scope.within', scope.within, patterns.within],
    // Azure has regions without zones.
    ['choice.zone', choice?.zone || undefined, patterns.zone],
    ['choice.subnet', choice?.subnet, patterns.subnet],
    ['at.zone', at?.zone || undefined, patterns.zone],
    ['at.subnet', at?.subnet, patterns.subnet],
    ...exclude.map((subnet) => ['exclude', subnet, patterns.subnet] as const),
    ['handle', handle, patterns.handle],
  ]
}

/** If the cloud has no such field, the attempt must not name one. */
function isSpelt(value: string | undefined, pattern: RegExp | undefined): boolean {
  return value === undefined || (pattern?.test(value) ?? false)
}

/** The message omits a misspelt value: the author can read it in the object. */
function told(field: string, what: string): string {
  return `In annotation ${annotations.attempt} ${field} ${what}.`
}
