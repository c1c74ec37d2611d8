import type { TokenBucket } from './bucket.ts'

/** A place in a limiter's line. */
export interface Place {
  /** Lower ranks go first; of equals, the lower order. No two places have the same order. */
  readonly rank: number
  readonly order: number
  /** What the call needs, all at once. The first is the call's own bucket. */
  readonly takes: readonly [Take, ...Take[]]
  /** How its holder is known on coming back. */
  readonly key: string | symbol
}

export interface Take {
  readonly bucket: TokenBucket
  readonly tokens: number
}

export function isBefore(one: Place, other: Place): boolean {
  return one.rank < other.rank || (one.rank === other.rank && one.order < other.order)
}

/** What those ahead in the line will take. */
export class Demand {
  readonly #tokens = new Map<TokenBucket, number>()

  add({ takes }: Place): void {
    for (const { bucket, tokens } of takes) this.#tokens.set(bucket, this.#of(bucket) + tokens)
  }

  /** How long until every bucket has what this place needs besides; 0 when they have it now. */
  waitMs({ takes }: Place, now: number): number {
    return Math.max(...takes.map(({ bucket, tokens }) => bucket.waitMs(this.#of(bucket) + tokens, now)))
  }

  #of(bucket: TokenBucket): number {
    return this.#tokens.get(bucket) ?? 0
  }
}
