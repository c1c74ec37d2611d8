import type { TokenBucket } from './bucket.ts'

/** A place in a limiter's line. */
export interface Position {
  /** Lower ranks go first; of equals, the lower round, then the lower order. No two places have the same order. */
  readonly rank: number
  readonly round: number
  readonly order: number
  /** The tokens that the call needs, all at once. The first are of the call's own bucket. */
  readonly takes: readonly [Take, ...Take[]]
  /** How its holder is known on coming back. */
  readonly key: string | symbol
}

export interface Take {
  readonly bucket: TokenBucket
  readonly tokens: number
}

export function isBefore(one: Position, other: Position): boolean {
  if (one.rank !== other.rank) return one.rank < other.rank
  return one.round === other.round ? one.order < other.order : one.round < other.round
}

/** Beyond so many tenants, those are forgotten whose turns are over. */
const mostTenants = 1_000

/**
 * The rounds of one rank: each tenant goes once in each round. A new call begins with the next round, so no tenant
 * saves up turns. Many calls of one tenant are in as many rounds.
 */
export class Rounds {
  /** The round of the call that went last. */
  #now = 0
  /** By tenant, the last round in which it has a place. */
  readonly #last = new Map<string, number>()

  next(tenant: string): number {
    const round = Math.max(this.#now, this.#last.get(tenant) ?? 0) + 1
    this.#last.set(tenant, round)
    if (this.#last.size > mostTenants) {
      for (const [other, last] of this.#last) if (last <= this.#now) this.#last.delete(other)
    }
    return round
  }

  went(round: number): void {
    this.#now = Math.max(this.#now, round)
  }
}

/** The tokens that the calls ahead in the line will take. */
export class Demand {
  readonly #tokens = new Map<TokenBucket, number>()

  add({ takes }: Position): void {
    for (const { bucket, tokens } of takes) this.#tokens.set(bucket, this.#of(bucket) + tokens)
  }

  /** How long until every bucket has what this place needs besides; 0 when they have it now. */
  waitMs({ takes }: Position, now: number): number {
    return Math.max(...takes.map(({ bucket, tokens }) => bucket.waitMs(this.#of(bucket) + tokens, now)))
  }

  #of(bucket: TokenBucket): number {
    return this.#tokens.get(bucket) ?? 0
  }
}
