/** A rate limit of a cloud: so many calls at once, then so many a second. */
export interface BucketLimits {
  readonly burst: number
  /**
   * As the cloud documents it. A cloud that counts in windows of N a minute is described by any pair with burst + 60 *
   * perSecond <= N.
   */
  readonly perSecond: number
}

/** We refill a little more slowly than documented: clocks drift, and a refused call costs more. */
const refillShare = 0.99

/**
 * How far the cloud's bucket may be behind ours. A call is under way for a while before the cloud counts it. Clouds add
 * tokens once a second, and drop those for which a full bucket has no room. So a take from a bucket that is nearly full
 * stops our refill for this time; otherwise ours would run ahead for good.
 */
const lagMs = 1_250

/**
 * The share of the rate that a refusal leaves, the share of the full rate that returns each second, and the share that
 * is never taken away.
 */
const decrease = 0.7
const regainPerSecond = 0.03
const floorShare = 0.02

/** A token that lacks less than this counts as whole: sums of fractions are not exact. */
const rounding = 1e-6

/**
 * Our copy of one of the cloud's token buckets. In any span of time it allows at most `burst` plus the documented rate.
 * The cloud may refuse a call all the same, because others draw on its bucket or the account has less. Then ours
 * pauses, goes on more slowly, and regains its rate: additive increase, multiplicative decrease.
 */
export class TokenBucket {
  readonly burst: number
  /** Tokens a millisecond: at most `#fullRate`, now `#rate`. `#regain` is the growth of `#rate` in a millisecond. */
  readonly #fullRate: number
  readonly #regain: number
  #rate: number
  #tokens: number
  /** Up to when the refill is counted; in the future while it stands still. */
  #countedTo = 0
  #pausedUntil = 0
  /** How many refusals have slowed it. */
  #round = 0

  constructor({ burst, perSecond }: BucketLimits) {
    this.burst = burst
    this.#fullRate = (perSecond * refillShare) / 1000
    this.#regain = (this.#fullRate * regainPerSecond) / 1000
    this.#rate = this.#fullRate
    this.#tokens = burst
  }

  /**
   * The time until it has so many tokens, if no call takes any; 0 when it has them. More than `burst`: for several
   * takes.
   */
  waitMs(tokens: number, now: number): number {
    this.#refill(now)
    const missing = tokens - this.#tokens
    if (missing <= rounding) return Math.max(0, this.#pausedUntil - now)
    return Math.max(0, this.#countedTo - now) + this.#timeToGain(missing)
  }

  /** Only when `waitMs` says 0. The answer is for `refused`. */
  take(tokens: number, now: number): number {
    this.#refill(now)
    const nearlyFull = this.#tokens > this.burst - this.#fullRate * lagMs
    this.#tokens -= tokens
    if (nearlyFull) this.#countedTo = Math.max(this.#countedTo, now + lagMs)
    return this.#round
  }

  /**
   * The cloud refused a call that had taken its token in this round. It pauses, at least as long as the cloud asks, and
   * then has one token to try with. Calls that were under way together are one reason to slow down, not several.
   */
  refused(round: number, retryAfterMs: number, now: number): void {
    this.#refill(now)
    const isNews = round === this.#round
    if (isNews) {
      this.#round += 1
      this.#rate = Math.max(this.#rate * decrease, this.#fullRate * floorShare)
    }
    const until = now + (isNews ? Math.max(retryAfterMs, 1 / this.#rate) : retryAfterMs)
    if (until <= Math.max(now, this.#pausedUntil)) return
    this.#pausedUntil = until
    this.#countedTo = until
    this.#tokens = isNews ? 1 : Math.min(this.#tokens, 1)
  }

  /** The rate grows evenly until it is full again, so the gain is a square first and then a straight line. */
  #refill(now: number): void {
    if (now <= this.#countedTo) return
    const passed = now - this.#countedTo
    const growing = Math.min(passed, this.#timeToFullRate())
    const gain = this.#rate * growing + (this.#regain * growing ** 2) / 2 + this.#fullRate * (passed - growing)
    this.#tokens = Math.min(this.burst, this.#tokens + gain)
    this.#rate = Math.min(this.#fullRate, this.#rate + this.#regain * growing)
    this.#countedTo = now
  }

  #timeToGain(tokens: number): number {
    const growing = this.#timeToFullRate()
    const meanwhile = ((this.#rate + this.#fullRate) / 2) * growing
    if (tokens > meanwhile) return growing + (tokens - meanwhile) / this.#fullRate
    return (Math.sqrt(this.#rate ** 2 + 2 * this.#regain * tokens) - this.#rate) / this.#regain
  }

  #timeToFullRate(): number {
    return (this.#fullRate - this.#rate) / this.#regain
  }
}
