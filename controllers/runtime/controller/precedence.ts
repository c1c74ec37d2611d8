import type { Clock } from '../../../api/ctx.ts'
import type { Queue } from './queue.ts'

/** The others wait no longer than this. That is a storm of a thousand notices on a slow API server. */
const longestMs = 30_000
/** Then they do not wait for this time. */
const freeMs = 10_000

interface Ahead {
  readonly queue: Pick<Queue, 'urgent'>
  /** Beyond as many urgent keys, which wait or are being reconciled, the others wait. */
  readonly backlog: number
}

/**
 * Controllers whose passes go ahead of those of all others while they have many urgent keys. Otherwise the urgent
 * writes of a storm share the API server with a hundred writes that have time.
 */
export class Precedence {
  readonly #clock: Clock
  readonly #ahead: Ahead[] = []
  #heldSince: number | undefined

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  /** The controller with this queue goes ahead of all others. */
  give(ahead: Ahead): void {
    this.#ahead.push(ahead)
  }

  /** The reason why the others wait now. Undefined: they do not. */
  readonly why = (): string | undefined => {
    const now = this.#clock.monotonic()
    const heldMs = this.#heldSince === undefined ? 0 : now - this.#heldSince
    if (heldMs >= longestMs + freeMs) this.#heldSince = undefined
    else if (heldMs >= longestMs) return undefined
    if (!this.#ahead.some(({ queue, backlog }) => queue.urgent > backlog)) {
      this.#heldSince = undefined
      return undefined
    }
    this.#heldSince ??= now
    return 'Urgent passes of another controller go ahead.'
  }
}
