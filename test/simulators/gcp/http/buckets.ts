import type { Clock } from '../../../../api/ctx.ts'
import type { BucketTableName } from '../../kit/control/bucket-control.ts'
import { GceError } from './errors.ts'

const meanings = {
  queries: { metric: 'Queries', says: 'Queries per minute' },
  reads: { metric: 'Read requests', says: 'Read requests per minute' },
  lists: { metric: 'List requests', says: 'List requests per minute' },
  operationReads: { metric: 'Operation read requests', says: 'Operation read requests per minute' },
  filteredResources: { metric: 'Filtered list cost overhead', says: 'Filtered list cost overhead per minute' },
} as const

/** How much a project may do in one minute. What is left out has no limit. */
export type BucketTable = { readonly [K in BucketName]?: number }
export type BucketName = keyof typeof meanings
const bucketNames = Object.keys(meanings) as readonly BucketName[]

/** What a project gets that has asked for nothing more. */
export const gceBuckets: BucketTable = {
  queries: 1500,
  reads: 1500,
  lists: 1500,
  operationReads: 1500,
  filteredResources: 750_000,
}

const bucketTables: Readonly<Record<BucketTableName, BucketTable>> = { real: gceBuckets, none: {} }

const minute = 60_000

/** Which of them a call counts in. */
export function bucketOf(action: string): BucketName {
  const [resource, verb = ''] = action.split('.')
  if (resource === 'zoneOperations' && ['get', 'wait'].includes(verb)) return 'operationReads'
  if (/^(list|aggregatedList)$/.test(verb)) return 'lists'
  return verb.startsWith('get') ? 'reads' : 'queries'
}

/**
 * The rate quotas of one project. They are no buckets that fill by drops: each is full again when the minute of the
 * clock on the wall is over, and not before.
 */
export class Buckets {
  readonly #clock: Clock
  readonly #projectNumber: string
  #table: BucketTable = {}
  #scale = 1
  #minute = 0
  readonly #used = new Map<BucketName, number>()

  constructor(clock: Clock, projectNumber: string, table: BucketTableName | BucketTable) {
    this.#clock = clock
    this.#projectNumber = projectNumber
    this.use(table)
  }

  /** Other quotas from now on, nothing of them used. `scale`: so many times as much. */
  use(table: BucketTableName | BucketTable, scale = 1): void {
    this.#table = typeof table === 'string' ? bucketTables[table] : table
    this.#scale = scale
    this.#used.clear()
  }

  /** One call. */
  admit(action: string): void {
    this.#take(bucketOf(action), 1)
  }

  /** Resources that a list with a filter has to look at. */
  takeFiltered(count: number): void {
    this.#take('filteredResources', count)
  }

  /** What is left, in this minute, of those that have been used in it. */
  levels(): Readonly<Record<string, number>> {
    this.#turn()
    return Object.fromEntries(
      bucketNames.flatMap((name) => {
        const used = this.#used.get(name)
        const limit = this.#limit(name)
        return used === undefined || limit === undefined ? [] : [[name, limit - used]]
      }),
    )
  }

  #take(name: BucketName, count: number): void {
    const limit = this.#limit(name)
    if (limit === undefined) return
    this.#turn()
    const used = (this.#used.get(name) ?? 0) + count
    if (used > limit) throw this.#exceeded(name)
    this.#used.set(name, used)
  }

  #limit(name: BucketName): number | undefined {
    const limit = this.#table[name]
    return limit === undefined ? undefined : Math.max(1, Math.floor(limit * this.#scale))
  }

  #turn(): void {
    const current = Math.floor(this.#clock.now() / minute)
    if (current === this.#minute) return
    this.#minute = current
    this.#used.clear()
  }

  #exceeded(name: BucketName): GceError {
    const { metric, says } = meanings[name]
    return new GceError(
      'rateLimitExceeded',
      `Quota exceeded for quota metric '${metric}' and limit '${says}' of service 'compute.googleapis.com' for ` +
        `consumer 'project_number:${this.#projectNumber}'.`,
    )
  }
}
