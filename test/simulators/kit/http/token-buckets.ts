import type { Clock } from '../../../../api/ctx.ts'
import { TokenBucket, type BucketSize } from './token-bucket.ts'

/** What a call is told that found too little in a bucket. */
export interface Refused {
  /** What the bucket holds when it is full. */
  readonly most: number
  /** Until there is one token again. */
  readonly waitMs: number
}

/** Token buckets by name: each is there, and full, from when it is first taken from. */
export class TokenBuckets {
  readonly #clock: Clock
  readonly #scale: number
  readonly #filled = new Map<string, TokenBucket>()

  /** `scale`: so many times the size and the flow of what is asked for. */
  constructor(clock: Clock, scale = 1) {
    this.#clock = clock
    this.#scale = scale
  }

  /** All or nothing. Undefined: taken; without a size there is no bucket, and nothing is refused. */
  take(name: string, size: BucketSize | undefined, count = 1): Refused | undefined {
    if (!size) return undefined
    const now = this.#clock.monotonic()
    const most = Math.max(1, size.most * this.#scale)
    const perSecond = size.perSecond * this.#scale
    let bucket = this.#filled.get(name)
    if (!bucket) {
      bucket = new TokenBucket({ most, perSecond }, now)
      this.#filled.set(name, bucket)
    }
    if (bucket.take(count, now)) return undefined
    return { most, waitMs: (1000 * (1 - bucket.level(now))) / perSecond }
  }

  /** What is in a bucket; infinitely much where it was never taken from. */
  level(name: string): number {
    return this.#filled.get(name)?.level(this.#clock.monotonic()) ?? Infinity
  }

  /** What is in the buckets that have been used. */
  levels(): Readonly<Record<string, number>> {
    const now = this.#clock.monotonic()
    return Object.fromEntries([...this.#filled].map(([name, bucket]) => [name, bucket.level(now)]))
  }
}
