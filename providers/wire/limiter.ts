import type { Clock, Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { givenUp } from '../errors.ts'
import { TokenBucket, type BucketLimits } from './bucket.ts'
import { Demand, isBefore, Rounds, type Position, type Take } from './queue-position.ts'

/**
 * The order in which calls take of a bucket: first calls that end a cost, then calls that somebody waits for, then
 * reads.
 */
export type Priority = 'terminate' | 'launch' | 'describe'

const ranks: Readonly<Record<Priority, number>> = { terminate: 0, launch: 1, describe: 2 }

/** The tokens and the place in line of a call. */
export interface Turn {
  /** The call's own bucket: the one that pauses when the cloud says "too many". Each call takes one token of it. */
  readonly bucket: string
  /** Tokens of further buckets: those that count something else than calls, or that several kinds of call share. */
  readonly also?: Readonly<Record<string, number>>
  readonly priority: Priority
  /** For whom. A caller that was sent away and comes back with the same key has kept its place. */
  readonly key?: string
  /** The tenant: of equals the tenants take turns. Calls without it are all of one tenant. */
  readonly whose?: string
  /**
   * A caller that would wait longer is sent away at once, see `turnAfterMs`. Without it, it waits as long as it takes.
   */
  readonly maxWaitMs?: number
  /** Asked when the turn has come, right before a write. An error: the write is not sent. */
  readonly refuseIf?: () => CloudError | undefined
}

/** The code of the error with which a limiter sends a caller away. Nothing was sent and no token was spent. */
const sentAway = 'LocalRateLimit'

/**
 * The time after which a caller that our own limiter sent away comes back for its turn. To be sent away is no failure.
 * Undefined for any other error.
 */
export function turnAfterMs(thrown: unknown): number | undefined {
  return thrown instanceof CloudError && thrown.code === sentAway ? thrown.retryAfterMs : undefined
}

/**
 * A caller with a longer wait looks again before its end: calls may have left the line, or the rate may have changed.
 */
const exactMs = 60_000
const lookAgainMs = 30_000

/** The place of a caller that was sent away is kept so long after its turn. */
const lateMs = 15_000

/** Computed waits differ by rounding; no caller is sent away for that. */
const toleranceMs = 1

interface Waiter {
  readonly place: Position
  /** It does not wait beyond this. */
  readonly until: number
  readonly go: (granted: Granted) => void
  readonly leave: (error: CloudError) => void
}

/**
 * The rate limits of one account and region, for all callers there. Its laws:
 * - No bucket gives more than its burst and its rate in any span of time.
 * - Of the calls that wait for a bucket the one with the highest priority goes first; of equals the tenants take turns,
 *   and each tenant's own go in the order in which they were asked for. A call that waits for one bucket holds up no
 *   call that does not need it.
 * - No caller waits here for longer than it said. One that would have to is sent away, with a place of its own in the
 *   line and the time at which that comes: so a thousand machines wait in their queue, each for its second, and not in
 *   a worker each. A token that is there is never kept for those who are away.
 * - A refusal by the cloud pauses the bucket for all.
 *
 * A refused call is not repeated here. Its caller repeats it, with the same token, and finds its place at the head of
 * the line. Repeating it in here would save neither calls nor time, as the refused call has been made and the bucket
 * sets the pace; but it would hold a worker through the pause, and would hide from conditions, logs and metrics that
 * the account is at its limit.
 */
export class Limiter {
  readonly #buckets: ReadonlyMap<string, TokenBucket>
  /** The callers that wait here, in the order in which they go. */
  #waiting: Waiter[] = []
  /** The places of the callers that were sent away, and until when they are kept. */
  readonly #away = new Map<string | symbol, { place: Position; until: number }>()
  readonly #rounds = Object.values(ranks).map(() => new Rounds())
  #orders = 0
  #cancelTimer: (() => void) | undefined

  constructor(table: Readonly<Record<string, BucketLimits>>) {
    this.#buckets = new Map(Object.entries(table).map(([name, limits]) => [name, new TokenBucket(limits)]))
  }

  /**
   * Makes the call when its turn has come. Throws the error of the call. Without a call it throws a CloudError:
   * 'throttled' if the caller is sent away, 'transient' if the signal ended the wait.
   */
  async run<T>(turn: Turn, call: () => Promise<T>, ctx: Ctx): Promise<T> {
    const granted = await this.#enter(turn, ctx)
    try {
      return await call()
    } catch (thrown) {
      throw thrown instanceof CloudError && thrown.kind === 'throttled' ? this.#refused(granted, thrown, ctx) : thrown
    }
  }

  /** Resolves when the turn has come and its tokens are taken. */
  async #enter(turn: Turn, { clock, signal }: Ctx): Promise<Granted> {
    if (signal.aborted) throw givenUp(signal)
    const now = clock.monotonic()
    const place = this.#placeFor(turn)
    if (this.#waitMs(place, this.#present(), now) === 0) return this.#take(place, now)
    if (this.#waitMs(place, this.#everybody(now), now) > (turn.maxWaitMs ?? Infinity)) throw this.#sendAway(place, now)
    return new Promise((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', abort)
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
      }
      const waiter: Waiter = {
        place,
        until: now + (turn.maxWaitMs ?? Infinity),
        go: (granted) => {
          end()
          resolve(granted)
        },
        leave: (error) => {
          end()
          reject(error)
        },
      }
      const abort = () => {
        waiter.leave(givenUp(signal))
        this.#handOut(clock)
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#line(waiter)
      this.#handOut(clock)
    })
  }

  /** The place that is kept for this key, or a new one at the end. */
  #placeFor({ bucket, also = {}, priority, key, whose = '' }: Turn): Position {
    const name = key === undefined ? Symbol(bucket) : `${bucket}/${key}`
    const rank = ranks[priority]
    const kept = this.#away.get(name)?.place
    this.#away.delete(name)
    const order = kept?.order ?? this.#orders++
    const round = kept?.round ?? this.#rounds[rank]?.next(whose) ?? 0
    const others = Object.entries(also).map(([other, tokens]) => this.#takeOf(other, tokens))
    return { rank, round, order, takes: [this.#takeOf(bucket, 1), ...others], key: name }
  }

  #take(place: Position, now: number): Granted {
    this.#rounds[place.rank]?.went(place.round)
    const [own, ...others] = place.takes
    for (const { bucket, tokens } of others) bucket.take(tokens, now)
    return { place, round: own.bucket.take(own.tokens, now) }
  }

  #takeOf(name: string, tokens: number): Take {
    const bucket = this.#buckets.get(name)
    if (!bucket) throw new Error(`The limiter has no bucket "${name}".`)
    if (tokens > bucket.burst) {
      throw new Error(
        `A call wants ${tokens} tokens of the bucket "${name}", which never holds more than ${bucket.burst}.`,
      )
    }
    return { bucket, tokens }
  }

  #line(waiter: Waiter): void {
    const behind = this.#waiting.findIndex(({ place }) => isBefore(waiter.place, place))
    this.#waiting = this.#waiting.toSpliced(behind < 0 ? this.#waiting.length : behind, 0, waiter)
  }

  /**
   * Lets those go whose turn has come, sends those away that would wait too long by now, and sets the one timer for the
   * next.
   */
  #handOut(clock: Clock): void {
    const now = clock.monotonic()
    const ahead = new Demand()
    let soonest = Infinity
    for (const waiter of this.#waiting) {
      const { place, until } = waiter
      const wait = ahead.waitMs(place, now)
      if (wait === 0) waiter.go(this.#take(place, now))
      else if (now + wait > until + toleranceMs) waiter.leave(this.#sendAway(place, now))
      else {
        ahead.add(place)
        soonest = Math.min(soonest, wait)
      }
    }
    this.#cancelTimer?.()
    this.#cancelTimer = soonest === Infinity ? undefined : clock.after(Math.ceil(soonest), () => this.#handOut(clock))
  }

  /** The bucket pauses. The refused caller keeps its place, and is told when that comes, the pause included. */
  #refused({ place, round }: Granted, error: CloudError, { clock }: Ctx): CloudError {
    const now = clock.monotonic()
    place.takes[0].bucket.refused(round, error.retryAfterMs ?? 0, now)
    const retryAfterMs = this.#keepPlace(place, now)
    this.#handOut(clock)
    return new CloudError('throttled', { code: error.code, message: error.message, retryAfterMs, cause: error })
  }

  #sendAway(place: Position, now: number): CloudError {
    const retryAfterMs = this.#keepPlace(place, now)
    const message = 'The rate limit for this call is used up; the call waits for its turn.'
    return new CloudError('throttled', { code: sentAway, message, retryAfterMs })
  }

  /** Answers with the time after which its holder shall ask again. */
  #keepPlace(place: Position, now: number): number {
    const waitMs = Math.ceil(this.#waitMs(place, this.#everybody(now), now))
    const afterMs = waitMs <= exactMs ? waitMs : lookAgainMs + (waitMs % lookAgainMs)
    this.#away.set(place.key, { place, until: now + afterMs + (typeof place.key === 'string' ? lateMs : 0) })
    return afterMs
  }

  #waitMs(place: Position, line: Iterable<Position>, now: number): number {
    const ahead = new Demand()
    for (const other of line) if (isBefore(other, place)) ahead.add(other)
    return ahead.waitMs(place, now)
  }

  *#present(): Iterable<Position> {
    for (const { place } of this.#waiting) yield place
  }

  /** The callers that wait here, and those that were sent away and are not overdue. */
  *#everybody(now: number): Iterable<Position> {
    yield* this.#present()
    for (const [key, { place, until }] of this.#away) {
      if (until > now) yield place
      else this.#away.delete(key)
    }
  }
}

interface Granted {
  readonly place: Position
  /** Of the call's own bucket, for when the cloud refuses all the same. */
  readonly round: number
}
