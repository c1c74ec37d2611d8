import { Heap } from '../../controllers/runtime/controller/heap.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** The time of the model. It moves only by command, and between two moments everything that can settle does. */
export class WorldClock {
  #now = 0
  #order = 0
  readonly #timers = new Heap<Timer>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order))

  /** Milliseconds since the model began. */
  get now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), order: this.#order++, run }
    this.#timers.push(timer)
    return () => void this.#timers.remove(timer)
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await settled()
    for (let next = this.#timers.first; next && next.at <= end; next = this.#timers.first) {
      this.#timers.remove(next)
      this.#now = next.at
      next.run()
      await settled()
    }
    this.#now = end
  }
}

/** A turn of the event loop comes after every promise that settles without I/O, however long the chain. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
