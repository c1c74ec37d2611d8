import type { Clock, Ctx } from '../../api/ctx.ts'
import { Deadline } from '../../api/deadline.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'
import { ApiError } from '../runtime/client/api-error.ts'
import { Places } from './places.ts'

/** Another caller is using the workload cluster, and it is slow. That proves nothing about the cluster. */
export class WorkloadBusy extends ApiError {
  declare readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    const message = 'Another request to this workload cluster is in progress.'
    super({ status: 0, reason: 'Busy', message, retryAfterMs })
    this.name = 'WorkloadBusy'
  }
}

/** A cluster is slow if its last use took longer. */
const slowMs = 250
/** The most callers that wait for a cluster that answers quickly. Nothing waits for a slow one. */
const mostWaiting = 4
/** A turn is promised for at least this time. */
const leastTurnMs = 20
/** No caller is sent away for longer: the uses before it may be quicker than the last one was. */
const mostAwayMs = 10_000
/** A caller with a place asks again after this time, in case the present use was the last that took long. */
const mostTurnMs = 1_000
/** The most slow clusters in use at once: each of them holds a worker that others need. */
const slowAtOnce = 8
/** The most of them in one namespace, so that one tenant cannot block the slow clusters of all others. */
const slowOfOne = 4

interface Line {
  isTaken: boolean
  /** The start of the present use. */
  begunAt: number | undefined
  /** The end of the last use. */
  endedAt: number
  /** How long the last use took. Undefined before the first. */
  lastMs: number | undefined
  /** When the callers that were sent away will have had their turns. */
  promisedUntil: number
  readonly waiting: (() => void)[]
  readonly places: Places
}

/**
 * Allows one use of a workload cluster at a time. A slow cluster holds one worker, and all slow ones together hold a
 * few. Other callers get WorkloadBusy at once and come back.
 */
export class Turns {
  readonly #lines = new Map<string, Line>()

  /**
   * Throws WorkloadBusy if the turn does not come soon. A caller with a name then keeps its place until it comes back,
   * and those without a name come after it.
   */
  async take<T>(key: string, use: () => Promise<T>, ctx: Ctx, caller?: string): Promise<T> {
    const line = this.#line(key)
    if (!line.places.isNext(caller, ctx.clock.monotonic())) throw this.#busy(line, ctx.clock, caller)
    if (line.isTaken) await this.#turn(line, ctx, caller)
    line.isTaken = true
    try {
      if (!this.#hasRoom(key, line, ctx.clock)) throw this.#busy(line, ctx.clock, caller)
      line.places.leave(caller)
      return await timed(line, use, ctx)
    } finally {
      handOver(line)
    }
  }

  /** Forgets clusters that were not used for this long. */
  sweep(unusedForMs: number, now: number): void {
    for (const [key, { isTaken, endedAt }] of this.#lines) {
      if (!isTaken && now - endedAt > unusedForMs) this.#lines.delete(key)
    }
  }

  #line(key: string): Line {
    const known = this.#lines.get(key)
    if (known) return known
    const line: Line = {
      isTaken: false,
      begunAt: undefined,
      endedAt: 0,
      lastMs: undefined,
      promisedUntil: 0,
      waiting: [],
      places: new Places(),
    }
    this.#lines.set(key, line)
    return line
  }

  async #turn(line: Line, ctx: Ctx, caller: string | undefined): Promise<void> {
    const isFull = isSlow(line, ctx.clock) || line.waiting.length >= mostWaiting
    if (isFull) throw this.#busy(line, ctx.clock, caller)
    const turn = Promise.withResolvers<void>()
    line.waiting.push(turn.resolve)
    using deadline = new Deadline(slowMs, () => this.#busy(line, ctx.clock, caller), ctx)
    try {
      await unlessAborted(turn.promise, deadline.signal)
    } catch (thrown) {
      const place = line.waiting.indexOf(turn.resolve)
      if (place >= 0) line.waiting.splice(place, 1)
      // The turn came at the moment of the timeout.
      else handOver(line)
      throw thrown
    }
  }

  /** There is always room for a cluster that answers quickly. A cluster without a use so far may be slow too. */
  #hasRoom(key: string, { lastMs }: Line, clock: Clock): boolean {
    if (lastMs !== undefined && lastMs <= slowMs) return true
    const slow = [...this.#lines].filter(([, line]) => line.begunAt !== undefined && isSlow(line, clock))
    const own = slow.filter(([other]) => namespaceOf(other) === namespaceOf(key))
    return own.length < slowOfOne && (lastMs === undefined || slow.length < slowAtOnce)
  }

  /**
   * Promises the caller a turn, after those of the others that were sent away. So a thousand callers do not try all the
   * time. While a use takes long, each new promise is longer.
   */
  #busy(line: Line, clock: Clock, caller: string | undefined): WorkloadBusy {
    const now = clock.monotonic()
    const sofarMs = line.begunAt === undefined ? 0 : now - line.begunAt
    const turnMs = Math.max(leastTurnMs, line.lastMs ?? 0, sofarMs)
    if (caller !== undefined) {
      const place = { now, turnMs: Math.min(mostTurnMs, turnMs), mostMs: mostAwayMs }
      return new WorkloadBusy(line.places.keep(caller, place))
    }
    line.promisedUntil = Math.min(now + mostAwayMs, Math.max(now, line.promisedUntil) + turnMs)
    return new WorkloadBusy(line.promisedUntil - now)
  }
}

async function timed<T>(line: Line, use: () => Promise<T>, { clock }: Ctx): Promise<T> {
  const begunAt = clock.monotonic()
  line.begunAt = begunAt
  try {
    return await use()
  } finally {
    line.endedAt = clock.monotonic()
    line.lastMs = line.endedAt - begunAt
    line.begunAt = undefined
  }
}

function namespaceOf(key: string): string {
  return key.slice(0, key.indexOf('/'))
}

/** Decides by the last use, or by the present one. */
function isSlow({ lastMs = 0, begunAt }: Line, clock: Clock): boolean {
  return lastMs > slowMs || (begunAt !== undefined && clock.monotonic() - begunAt > slowMs)
}

/** The cluster stays taken between two uses. Otherwise a new caller could overtake those that wait. */
function handOver(line: Line): void {
  const next = line.waiting.shift()
  if (next) next()
  else line.isTaken = false
}
