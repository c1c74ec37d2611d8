export interface BucketSize {
  /** What it holds when it is full, as it is at first. */
  readonly most: number
  /** What flows in each second. */
  readonly perSecond: number
}

/** Refills steadily, not once a second. Times are those of a clock that only ever grows, in milliseconds. */
export class TokenBucket {
  readonly #size: BucketSize
  /** In thousandths, so that whole milliseconds of a whole rate add up exactly. */
  #thousandths: number
  #at: number

  constructor(size: BucketSize, now: number) {
    this.#size = size
    this.#thousandths = 1000 * size.most
    this.#at = now
  }

  /** All or nothing: a call that is refused takes no token. */
  take(count: number, now: number): boolean {
    this.#refill(now)
    if (this.#thousandths < 1000 * count) return false
    this.#thousandths -= 1000 * count
    return true
  }

  level(now: number): number {
    this.#refill(now)
    return this.#thousandths / 1000
  }

  #refill(now: number): void {
    const { most, perSecond } = this.#size
    this.#thousandths = Math.min(1000 * most, this.#thousandths + (now - this.#at) * perSecond)
    this.#at = now
  }
}
