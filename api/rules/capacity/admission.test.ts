import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterFailure, afterSuccess, pauseEndsAt, type BackoffGroup, type BackoffTerms } from '../backoff-group.ts'
import { admission, type Ask, type GroupToEnter } from './admission.ts'

const start = Date.UTC(2026, 0, 1)
const seconds = 1_000
const minutes = 60 * seconds
const terms: BackoffTerms = {
  initialMs: 30 * seconds,
  maxMs: 30 * minutes,
  minHealthyMs: 10 * minutes,
  patienceMs: 30 * minutes,
}
const closed = afterFailure(undefined, { at: start, cameUp: false }, terms)
const over = start + 30 * seconds
const ask = (machine: string, at: number, more: Partial<Ask> = {}): Ask => ({
  machine,
  owner: 'md',
  at,
  isSettled: false,
  ...more,
})

function asks(group: BackoffGroup | undefined, now: number, more: Partial<GroupToEnter> = {}, owner = 'md') {
  return admission([{ group, asks: [], ...more }], { asker: { machine: 'm', owner }, terms, now })
}
const waits = (until: number) => ({ is: 'waiting', until })
const admitted = { is: 'admitted' }

describe('a machine asks', () => {
  it('at once for what nobody was refused', () => expect(asks(undefined, start)).toEqual(admitted))

  it('after the pause, if nobody tries', () => {
    expect(asks(closed, over - 1)).toEqual(waits(over))
    expect(asks(closed, over)).toEqual(admitted)
  })

  it('not while another tries, here or in another Cluster', () => {
    const tries = { asks: [ask('other', over)] }
    expect(asks(closed, over + 1, tries)).toEqual(waits(over + terms.patienceMs))
    expect(asks(closed, over + 1, { asks: [ask('other', over, { isSettled: true })] })).toEqual(admitted)
    expect(asks(closed, over + 1, { othersUntil: over + 9 })).toEqual(waits(over + 9))
    expect(asks(closed, over + terms.patienceMs, tries)).toEqual(admitted)
  })

  it('again, if it was admitted after the pause, and not if the pause began later', () => {
    const own = { asks: [ask('m', over)] }
    expect(asks({ ...closed, probe: { machine: 'x', owner: 'y', at: over } }, over + 1, own)).toEqual(admitted)
    const again = afterFailure(closed, { at: over + seconds, cameUp: false }, terms)
    expect(asks(again, over + 2 * seconds, own)).toEqual(waits(over + 61 * seconds))
    expect(asks(again, over + 61 * seconds, own)).toEqual(admitted)
  })

  it('as the next of the owner whose Machine was replaced, and nobody else does', () => {
    const replaced = { ...closed, probe: { machine: 'old', owner: 'md', at: over } }
    expect(asks(replaced, over)).toEqual(admitted)
    expect(asks(replaced, over, {}, 'another')).toEqual(waits(over + terms.patienceMs))
    const taken = { asks: [ask('next', over + 1, { isSettled: true })] }
    expect(asks(replaced, over + 2, taken)).toEqual(waits(over + terms.patienceMs))
    const beforeIt = { asks: [ask('elder', over - 1, { isSettled: true })] }
    expect(asks(replaced, over + 2, beforeIt)).toEqual(admitted)
    const ofAnother = { asks: [ask('other', over + 1, { isSettled: true, owner: 'another' })] }
    expect(asks(replaced, over + 2, ofAnother)).toEqual(admitted)
    const itself = { ...replaced, probe: { ...replaced.probe, machine: 'm' } }
    expect(asks(itself, over + 2)).toEqual(waits(over + terms.patienceMs))
    expect(asks(replaced, over + terms.patienceMs, {}, 'another')).toEqual(admitted)
  })

  it('only when all its groups let it, and waits for the last of them', () => {
    const later = afterFailure(undefined, { at: start + 20 * seconds, cameUp: false }, terms)
    const groups = [undefined, closed, later].map((group) => ({ group, asks: [] }))
    const at = (now: number) => admission(groups, { asker: { machine: 'm', owner: 'md' }, terms, now })
    expect(at(start)).toEqual(waits(over + 20 * seconds))
    expect(at(over)).toEqual(waits(over + 20 * seconds))
    expect(at(over + 20 * seconds)).toEqual(admitted)
  })

  it('regardless when its time has come, and names that time before', () => {
    const strict = { asker: { machine: 'm', owner: 'md' }, terms, patientUntil: start + 9 * seconds }
    const at = (now: number) => admission([{ group: closed, asks: [] }], { ...strict, now })
    expect(at(start)).toEqual(waits(start + 9 * seconds))
    expect(at(start + 9 * seconds)).toEqual(admitted)
  })
})

it('in an open group two ask at once, and twice as many with each wave', () => {
  const opened = over + 10 * seconds
  const open = afterSuccess(closed, { requestedAt: over, at: opened })
  const known: Ask[] = [ask('first', over, { isSettled: true })]
  const sizes = [0, 15, 30, 45].map((after) => {
    const now = opened + after * seconds
    for (let n = 0; n < 50 && asks(open, now, { asks: known }).is === 'admitted'; n++) {
      known.push(ask(`m ${after} ${n}`, now, { isSettled: n % 2 === 0 }))
    }
    expect(asks(open, now, { asks: known })).toEqual(waits(now + 15 * seconds))
    return known.length - 1
  })
  expect(sizes).toEqual([2, 4, 8, 16])
})

interface World {
  readonly machines: number
  /** They fail with a refusal. Others wait in place. */
  readonly isStrict: boolean
  readonly latencyMs: number
  readonly dryMs: number
  readonly terms: BackoffTerms
}

interface Body {
  readonly name: string
  readonly owner: string
  is: 'waiting' | 'claimed' | 'asked' | 'running' | 'failed'
  resultAt: number
}

/** Machines want one offering, and one that waits has no ask. A launch bucket of 5 and 2 a second stands before it. */
class OnePool {
  readonly asked: number[] = []
  /** Asks that went out in a pause, and the most that went out between a pause and the next refusal. */
  inPause = 0
  mostProbes = 0
  now = start
  readonly bodies: Body[]
  #group: BackoffGroup | undefined
  #asks = new Map<string, Ask>()
  #probes = 0
  #tokens = 5
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    this.bodies = Array.from({ length: world.machines }, (_, n) => ({
      name: `m${n}`,
      owner: `md${n % 2}`,
      is: 'waiting',
      resultAt: 0,
    }))
  }

  run(forMs: number): void {
    for (const end = this.now + forMs; this.now < end; this.now += 250) {
      this.#tokens = Math.min(5, this.#tokens + 0.5)
      for (const body of this.bodies) if (body.is === 'asked' && body.resultAt <= this.now) this.#result(body)
      for (const body of this.bodies) if (body.is === 'waiting') this.#claim(body)
      for (const body of this.bodies) if (body.is === 'claimed' && this.#tokens >= 1) this.#send(body)
    }
  }

  count(is: Body['is']): number {
    return this.bodies.filter((body) => body.is === is).length
  }

  #mayAsk({ name: machine, owner }: Body): boolean {
    const { terms: given, isStrict } = this.#world
    const groups = [{ group: this.#group, asks: [...this.#asks.values()] }]
    const patient = isStrict ? { patientUntil: start + given.maxMs } : {}
    return admission(groups, { asker: { machine, owner }, terms: given, now: this.now, ...patient }).is === 'admitted'
  }

  #claim(body: Body): void {
    if (!this.#mayAsk(body)) return
    body.is = 'claimed'
    this.#asks.set(body.name, ask(body.name, this.now, { owner: body.owner }))
  }

  /** Once more, because the turn came later. */
  #send(body: Body): void {
    if (!this.#mayAsk(body)) {
      body.is = 'waiting'
      this.#asks.delete(body.name)
      return
    }
    this.#tokens -= 1
    const group = this.#group
    const isPatient = !this.#world.isStrict || this.now < start + this.#world.terms.maxMs
    if (group && group.openedAt === undefined && isPatient) {
      this.#probes += 1
      this.mostProbes = Math.max(this.mostProbes, this.#probes)
      if (this.now < pauseEndsAt(group, this.#world.terms)) this.inPause += 1
    }
    this.asked.push(this.now)
    body.is = 'asked'
    body.resultAt = this.now + this.#world.latencyMs
  }

  #result(body: Body): void {
    const own = this.#asks.get(body.name)
    if (this.now >= start + this.#world.dryMs) {
      body.is = 'running'
      if (own) this.#asks.set(body.name, { ...own, isSettled: true })
      this.#group &&= afterSuccess(this.#group, { requestedAt: own?.at ?? 0, at: this.now })
      return
    }
    body.is = this.#world.isStrict ? 'failed' : 'waiting'
    this.#asks.delete(body.name)
    this.#group = afterFailure(this.#group, { at: this.now, cameUp: false }, this.#world.terms)
    this.#probes = 0
  }
}

const worlds = fc.record({
  machines: fc.integer({ min: 1, max: 40 }),
  isStrict: fc.boolean(),
  latencyMs: fc.integer({ min: 1, max: 8 }).map((n) => n * 250),
  dryMs: fc.integer({ min: 1, max: 900 }).map((n) => n * seconds),
  terms: fc.integer({ min: 5, max: 60 }).map((s) => ({ ...terms, initialMs: s * seconds })),
})

describe('machines that want one dry offering', () => {
  it('ask never in a pause, and one at a time after it', () => {
    fc.assert(
      fc.property(worlds, (given) => {
        const pool = new OnePool(given)
        pool.run(given.dryMs)
        expect([pool.inPause, pool.mostProbes <= 1]).toEqual([0, true])
      }),
      { numRuns: 15 },
    )
  })

  it('run within a pause and the waves, once it is there again, if they wait in place', () => {
    fc.assert(
      fc.property(worlds, (given) => {
        const pool = new OnePool({ ...given, isStrict: false })
        pool.run(given.dryMs)
        const waves = (Math.ceil(Math.log2(given.machines)) + 1) * 15 * seconds
        const pause = Math.min(terms.maxMs, Math.max(given.terms.initialMs, given.dryMs * 2))
        pool.run(pause + waves + given.machines * seconds + 10 * seconds)
        expect(pool.count('running')).toBe(given.machines)
      }),
      { numRuns: 15 },
    )
  })

  it('make 10 calls in ten minutes at most, also where 50 are strict and the bucket is full at first', () => {
    const pool = new OnePool({ machines: 50, isStrict: true, latencyMs: 500, dryMs: 60 * minutes, terms })
    pool.run(10 * minutes)
    expect(pool.asked.length).toBeGreaterThanOrEqual(5)
    expect(pool.asked.length).toBeLessThanOrEqual(10)
  })

  it('wait no longer than their policy says, if they are strict', () => {
    const strict = { machines: 20, isStrict: true, latencyMs: 500, dryMs: 60 * minutes }
    const pool = new OnePool({ ...strict, terms: { ...terms, maxMs: 5 * minutes } })
    pool.run(5 * minutes)
    expect(pool.count('waiting')).toBeGreaterThan(0)
    // Their turns in the bucket come one after the other.
    pool.run(20 * seconds)
    expect(pool.count('failed')).toBe(20)
  })
})
