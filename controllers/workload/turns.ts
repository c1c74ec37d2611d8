import type { Clock, Ctx } from '../../api/ctx.ts'
import { Deadline } from '../../api/deadline.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'
import { ApiError } from '../runtime/client/api-error.ts'

/** Someone else asks the workload cluster now, and it takes its time. Nothing is known of the cluster by that. */
export class WorkloadBusy extends ApiError {
  declare readonly retryAfterMs: number

  constructor({ random }: { random: () => number }) {
    // Spread, so that those who were sent away do not come back together.
    const retryAfterMs = 1_000 + random() * 1_000
    const message = 'Another request to this workload cluster is in progress.'
    super({ status: 0, reason: 'Busy', message, retryAfterMs })
    this.name = 'WorkloadBusy'
  }
}

/** A use that takes longer makes the cluster a slow one. */
const slowMs = 250
/** So many wait for a cluster that answers quickly; of a slow one nobody waits. */
const mostWaiting = 4
/** So many slow clusters are asked at once: whoever waits for them is a worker that others need. */
const slowAtOnce = 8
/** And so many of one namespace, so that one tenant cannot keep the slow clusters of all others waiting. */
const slowOfOne = 4

interface Line {
  isTaken: boolean
  /** When the use under way began. */
  begunAt: number | undefined
  /** When the last one ended. */
  endedAt: number
  /** The last use took long; undefined before the first. */
  wasSlow: boolean | undefined
  readonly waiting: (() => void)[]
}

export interface TurnsOptions {
  readonly random?: () => number
}

/**
 * One use of a workload cluster at a time. A cluster that answers slowly holds one worker, and all the slow ones
 * together hold a few: the others are told so at once and come back.
 */
export class Turns {
  readonly #lines = new Map<string, Line>()
  readonly #random: () => number

  constructor({ random = Math.random }: TurnsOptions = {}) {
    this.#random = random
  }

  /** Throws WorkloadBusy where the turn does not come soon. */
  async take<T>(key: string, use: () => Promise<T>, ctx: Ctx): Promise<T> {
    const line = this.#line(key)
    if (line.isTaken) await this.#turn(line, ctx)
    line.isTaken = true
    try {
      if (!this.#hasRoom(key, line, ctx.clock)) throw this.#busy()
      return await timed(line, use, ctx)
    } finally {
      handOver(line)
    }
  }

  /** Forgets the clusters that nobody has used for so long. */
  sweep(unusedForMs: number, now: number): void {
    for (const [key, { isTaken, endedAt }] of this.#lines) {
      if (!isTaken && now - endedAt > unusedForMs) this.#lines.delete(key)
    }
  }

  #line(key: string): Line {
    const known = this.#lines.get(key)
    if (known) return known
    const line: Line = { isTaken: false, begunAt: undefined, endedAt: 0, wasSlow: undefined, waiting: [] }
    this.#lines.set(key, line)
    return line
  }

  async #turn(line: Line, ctx: Ctx): Promise<void> {
    if (isSlow(line, ctx.clock) || line.waiting.length >= mostWaiting) throw this.#busy()
    const turn = Promise.withResolvers<void>()
    line.waiting.push(turn.resolve)
    using deadline = new Deadline(slowMs, () => this.#busy(), ctx)
    try {
      await unlessAborted(turn.promise, deadline.signal)
    } catch (thrown) {
      const place = line.waiting.indexOf(turn.resolve)
      if (place >= 0) line.waiting.splice(place, 1)
      // The turn came at the very moment at which the time was over.
      else handOver(line)
      throw thrown
    }
  }

  /** Of what answers quickly there is always room. What was never asked may be slow, too. */
  #hasRoom(key: string, { wasSlow }: Line, clock: Clock): boolean {
    if (wasSlow === false) return true
    const slow = [...this.#lines].filter(([, line]) => line.begunAt !== undefined && isSlow(line, clock))
    const own = slow.filter(([other]) => namespaceOf(other) === namespaceOf(key))
    return own.length < slowOfOne && (wasSlow === undefined || slow.length < slowAtOnce)
  }

  #busy(): WorkloadBusy {
    return new WorkloadBusy({ random: this.#random })
  }
}

async function timed<T>(line: Line, use: () => Promise<T>, { clock }: Ctx): Promise<T> {
  const begunAt = clock.monotonic()
  line.begunAt = begunAt
  try {
    return await use()
  } finally {
    line.endedAt = clock.monotonic()
    line.wasSlow = line.endedAt - begunAt > slowMs
    line.begunAt = undefined
  }
}

function namespaceOf(key: string): string {
  return key.slice(0, key.indexOf('/'))
}

/** By its last use, or by the one under way. */
function isSlow({ wasSlow, begunAt }: Line, clock: Clock): boolean {
  return wasSlow === true || (begunAt !== undefined && clock.monotonic() - begunAt > slowMs)
}

/** Between one use and the next the cluster stays taken, or somebody who has just come would go first. */
function handOver(line: Line): void {
  const next = line.waiting.shift()
  if (next) next()
  else line.isTaken = false
}
