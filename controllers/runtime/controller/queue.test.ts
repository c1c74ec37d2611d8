import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { Queue } from './queue.ts'

const never = new AbortController().signal

interface Entry {
  key: string
  priority: number
  due: number
  order: number
}

/** The laws, as plainly as they can be written down. */
class Model {
  readonly given: string[] = []
  readonly locked = new Map<string, Entry | undefined>()
  takers: number[] = []
  readonly #takenUrgent = new Set<string>()
  #waiting: Entry[] = []
  #now = 0
  #order = 0

  add(key: string, priority: number, after: number): void {
    const wanted = { key, priority, due: this.#now + after, order: this.#order++ }
    const isLocked = this.locked.has(key)
    const had = isLocked ? this.locked.get(key) : this.#waiting.find((entry) => entry.key === key)
    const first = !had || wanted.due < had.due ? wanted : had
    const entry = { ...first, priority: Math.max(priority, had?.priority ?? priority) }
    if (isLocked) this.locked.set(key, entry)
    else this.#waiting = [...this.#waiting.filter((other) => other.key !== key), entry]
    this.#handOut()
  }

  get urgent(): number {
    return this.#waiting.filter(({ priority }) => priority > 0).length + this.#takenUrgent.size
  }

  get nextPriority(): number | undefined {
    const due = this.#waiting.filter((entry) => entry.due <= this.#now)
    return due.length === 0 ? undefined : Math.max(...due.map(({ priority }) => priority))
  }

  take(taker: number): void {
    this.takers.push(taker)
    this.#handOut()
  }

  leave(taker: number): void {
    this.takers = this.takers.filter((other) => other !== taker)
  }

  done(key: string): void {
    const again = this.locked.get(key)
    this.locked.delete(key)
    this.#takenUrgent.delete(key)
    if (again) this.#waiting.push(again)
    this.#handOut()
  }

  advance(ms: number): void {
    const end = this.#now + ms
    const dues = this.#waiting.map(({ due }) => due).filter((due) => due > this.#now && due <= end)
    for (const due of dues.sort((a, b) => a - b)) {
      this.#now = due
      this.#handOut()
    }
    this.#now = end
  }

  #handOut(): void {
    for (;;) {
      const [next] = this.#waiting
        .filter(({ due }) => due <= this.#now)
        .sort((a, b) => b.priority - a.priority || a.due - b.due || a.order - b.order)
      if (!next || this.takers.length === 0) return
      this.#waiting = this.#waiting.filter((entry) => entry !== next)
      this.locked.set(next.key, undefined)
      if (next.priority > 0) this.#takenUrgent.add(next.key)
      this.given.push(`${this.takers.shift()}:${next.key}`)
    }
  }
}

const key = fc.constantFrom('a', 'b', 'c', 'd')
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      add: key,
      priority: fc.constantFrom(-100, 0, 0, 100),
      after: fc.constantFrom(0, 0, 10, 20, 1_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ take: fc.constant(true) }) },
  { weight: 3, arbitrary: fc.record({ done: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ leave: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ advance: fc.constantFrom(1, 10, 15, 2_000) }) },
)

describe('a queue', () => {
  it('hands out what its laws say, to whom they say, when they say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = new FakeClock(0)
        const queue = new Queue({ clock })
        const model = new Model()
        const given: string[] = []
        const takers: AbortController[] = []
        for (const step of steps) {
          if ('add' in step) {
            queue.add(step.add, { priority: step.priority, after: step.after })
            model.add(step.add, step.priority, step.after)
          } else if ('take' in step) {
            const taker = takers.push(new AbortController()) - 1
            const left = () => {}
            queue.take(takers[taker]?.signal ?? never).then((key) => given.push(`${taker}:${key}`), left)
            model.take(taker)
          } else if ('done' in step) {
            const key = [...model.locked.keys()][step.done]
            if (key === undefined) continue
            queue.done(key)
            model.done(key)
          } else if ('leave' in step) {
            const taker = model.takers[step.leave]
            if (taker === undefined) continue
            takers[taker]?.abort()
            model.leave(taker)
          } else {
            await clock.advance(step.advance)
            model.advance(step.advance)
          }
          await clock.advance(0)
          expect(given).toEqual(model.given)
          expect(queue.depth.taken).toBe(model.locked.size)
          expect([queue.urgent, queue.nextPriority]).toEqual([model.urgent, model.nextPriority])
        }
        queue.shutdown()
        expect(clock.pending).toBe(0)
      }),
      { numRuns: 500 },
    )
  })

  it('hands out a key that comes in while one waits for it', async () => {
    const queue = new Queue({ clock: new FakeClock() })
    const taken = queue.take(never)
    queue.add('a')
    expect(await taken).toBe('a')
  })

  it('tells how much there is', async () => {
    const queue = new Queue({ clock: new FakeClock() })
    queue.add('a')
    queue.add('b')
    queue.add('c', { after: 10 })
    await queue.take(never)
    expect(queue.depth).toEqual({ ready: 1, delayed: 1, taken: 1 })
  })

  it('needs one timer for any number of delays, and none without', async () => {
    const clock = new FakeClock()
    const queue = new Queue({ clock })
    for (let n = 0; n < 1_000; n++) queue.add(`key-${n}`, { after: 1_000 - n })
    expect(clock.pending).toBe(1)
    await clock.advance(1_000)
    expect(queue.depth.ready).toBe(1_000)
    expect(clock.pending).toBe(0)
  })

  it('lets a taker go whose signal fires, and keeps no listener', async () => {
    const queue = new Queue({ clock: new FakeClock() })
    const stop = new AbortController()
    const taken = queue.take(stop.signal)
    stop.abort(new Error('going home'))
    await expect(taken).rejects.toThrow('going home')
    await expect(queue.take(stop.signal)).rejects.toThrow('going home')
    const other = new AbortController()
    queue.add('a')
    expect(await queue.take(other.signal)).toBe('a')
    expect(getEventListeners(other.signal, 'abort')).toEqual([])
  })

  it('refuses takers once it is shut down, and forgets what waits', async () => {
    const clock = new FakeClock()
    const queue = new Queue({ clock })
    queue.add('taken')
    await queue.take(never)
    const waiting = queue.take(never)
    queue.add('later', { after: 10 })
    queue.shutdown()
    await expect(waiting).rejects.toThrow('The queue was shut down')
    await expect(queue.take(never)).rejects.toThrow('The queue was shut down')
    queue.add('taken')
    queue.done('taken')
    queue.add('new')
    expect(queue.depth).toEqual({ ready: 0, delayed: 0, taken: 0 })
    expect(clock.pending).toBe(0)
  })

  it('refuses to be done with what nobody took', () => {
    const queue = new Queue({ clock: new FakeClock() })
    queue.add('a')
    expect(() => queue.done('a')).toThrow('The key "a" is done without having been taken.')
  })
})
