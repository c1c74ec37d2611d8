import type { Clock } from '../../../api/ctx.ts'
import { Heap } from './heap.ts'

export interface AddOptions {
  /** A key with a higher priority comes first. Default: 0. */
  readonly priority?: number | undefined
  /** The key waits this many milliseconds. */
  readonly after?: number | undefined
}

/** A key that waits. */
interface Waiting {
  readonly key: string
  priority: number
  /** By the monotonic clock. */
  due: number
  /** The order of the adds that set `due`. */
  order: number
}

interface Taker {
  readonly give: (key: string) => void
  readonly refuse: (error: Error) => void
}

/**
 * The keys that have to be reconciled. Its laws:
 * - A key that was taken is not handed out again before `done`. If it was added meanwhile, it comes again after that.
 * - A key waits once, however often it is added: with the highest priority and the earliest time.
 * - Of the due keys the one with the highest priority is next. Of equals, it is the one that was due first.
 */
export class Queue {
  readonly #clock: Clock
  /** All waiting keys that are not locked. */
  readonly #waiting = new Map<string, Waiting>()
  /** The keys that were handed out, each with the add that came meanwhile. */
  readonly #locked = new Map<string, Waiting | undefined>()
  readonly #ready = new Heap<Waiting>(
    (a, b) => a.priority > b.priority || (a.priority === b.priority && isEarlier(a, b)),
  )
  readonly #delayed = new Heap<Waiting>(isEarlier)
  readonly #takers = new Set<Taker>()
  /** The keys that wait with a priority, or were taken with one. */
  readonly #urgent = new Set<string>()
  #order = 0
  #cancelTimer: (() => void) | undefined
  #timerAt = Infinity
  #isShut = false

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  /** The number of keys that are due, that wait for their time, and that are being reconciled. */
  get depth(): { ready: number; delayed: number; taken: number } {
    return { ready: this.#ready.size, delayed: this.#delayed.size, taken: this.#locked.size }
  }

  /** The number of those with a priority above 0 among them. */
  get urgent(): number {
    return this.#urgent.size
  }

  /** The priority of the key that is next. Undefined: none is due. */
  get nextPriority(): number | undefined {
    return this.#ready.first?.priority
  }

  add(key: string, { priority = 0, after = 0 }: AddOptions = {}): void {
    if (this.#isShut) return
    const wanted: Waiting = { key, priority, due: this.#clock.monotonic() + Math.max(0, after), order: this.#order++ }
    if (this.#locked.has(key)) {
      const meanwhile = this.#locked.get(key)
      this.#locked.set(key, meanwhile ? merged(meanwhile, wanted) : wanted)
      return
    }
    const waiting = this.#waiting.get(key)
    if (waiting) {
      this.#ready.remove(waiting)
      this.#delayed.remove(waiting)
    }
    this.#enqueue(waiting ? merged(waiting, wanted) : wanted)
    this.#handOut()
  }

  /** Resolves to the next key as soon as there is one. The taker must call `done` with it in every case. */
  take(signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error)
        return
      }
      if (this.#isShut) {
        reject(closed())
        return
      }
      const leave = () => {
        this.#takers.delete(taker)
        reject(signal.reason as Error)
      }
      const taker: Taker = {
        give: (key) => {
          signal.removeEventListener('abort', leave)
          resolve(key)
        },
        refuse: (error) => {
          signal.removeEventListener('abort', leave)
          reject(error)
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#takers.add(taker)
      this.#handOut()
    })
  }

  done(key: string): void {
    if (!this.#locked.has(key)) throw new Error(`The key "${key}" is done without having been taken.`)
    const again = this.#locked.get(key)
    this.#locked.delete(key)
    this.#urgent.delete(key)
    if (!again || this.#isShut) return
    this.#enqueue(again)
    this.#handOut()
  }

  /**
   * Hands out no more keys: takers are rejected and waiting keys are dropped. Keys that were taken may still be done.
   */
  shutdown(): void {
    this.#isShut = true
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    for (const { key } of this.#waiting.values()) this.#forget(key)
    this.#urgent.clear()
    for (const taker of this.#takers) taker.refuse(closed())
    this.#takers.clear()
  }

  #enqueue(item: Waiting): void {
    this.#waiting.set(item.key, item)
    if (item.priority > 0) this.#urgent.add(item.key)
    if (item.due > this.#clock.monotonic()) this.#delayed.push(item)
    else this.#ready.push(item)
  }

  #forget(key: string): void {
    const item = this.#waiting.get(key)
    if (!item) return
    this.#waiting.delete(key)
    this.#ready.remove(item)
    this.#delayed.remove(item)
  }

  #handOut(): void {
    this.#promote()
    for (const taker of this.#takers) {
      const next = this.#ready.first
      if (!next) return
      this.#takers.delete(taker)
      this.#forget(next.key)
      this.#locked.set(next.key, undefined)
      taker.give(next.key)
    }
  }

  /** Due keys become ready. One timer waits for the others. */
  #promote(): void {
    const now = this.#clock.monotonic()
    for (let next = this.#delayed.first; next && next.due <= now; next = this.#delayed.first) {
      this.#delayed.remove(next)
      this.#ready.push(next)
    }
    const due = this.#delayed.first?.due ?? Infinity
    if (due === this.#timerAt) return
    this.#cancelTimer?.()
    this.#timerAt = due
    this.#cancelTimer = due === Infinity ? undefined : this.#clock.after(due - now, () => this.#wake())
  }

  #wake(): void {
    this.#timerAt = Infinity
    this.#cancelTimer = undefined
    this.#handOut()
  }
}

function merged(one: Waiting, other: Waiting): Waiting {
  const { due, order } = isEarlier(other, one) ? other : one
  return { key: one.key, priority: Math.max(one.priority, other.priority), due, order }
}

function isEarlier(a: Waiting, b: Waiting): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order)
}

function closed(): Error {
  return new Error('The queue was shut down.')
}
