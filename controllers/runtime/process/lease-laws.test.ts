import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { Candidate, LeaseStore, type Fate } from '../../../test/support/worlds/lease-world.ts'
import { LeaseLost } from './lease.ts'

/** All that happens does so on this grid, so that looking once a step misses nothing. */
const stepMs = 50
const steps = (most: number) => fc.integer({ min: 0, max: most / stepMs }).map((count) => count * stepMs)

const fault: fc.Arbitrary<NonNullable<Fate['fault']>> = fc.oneof(
  { weight: 5, arbitrary: fc.constant('none' as const) },
  fc.constantFrom('request', 'answer', 'refused'),
)
const delay = fc.oneof({ weight: 9, arbitrary: steps(2_500) }, steps(20_000))
const fate: fc.Arbitrary<Fate> = fc.record({ thereMs: delay, backMs: delay, fault })

type Happening = { at: number; who: number | 'holder' } & (
  | { do: 'stop'; forMs: number; backwards: boolean }
  | { do: 'skew'; toMs: number }
  | { do: 'end' }
  | { do: 'meddle' }
)
const where = { at: steps(90_000), who: fc.constantFrom<(number | 'holder')[]>(0, 1, 'holder') }
const stop = fc.record({
  ...where,
  do: fc.constant('stop' as const),
  forMs: fc.oneof(
    steps(12_000),
    steps(25_000).map((ms) => ms + 15_000),
  ),
  backwards: fc.boolean(),
})
const skew = fc.record({ ...where, do: fc.constant('skew' as const), toMs: fc.integer({ min: -6e5, max: 6e5 }) })
const end = fc.record({ ...where, do: fc.constant('end' as const) })
const meddle = fc.record({ ...where, do: fc.constant('meddle' as const) })
const happening: fc.Arbitrary<Happening> = fc.oneof({ weight: 3, arbitrary: stop }, skew, end, meddle)

/** Two seats, each with a process that wants the lease; where one ends the next is started, as a kubelet does. */
class Rivals {
  readonly world = new FakeClock()
  readonly store = new LeaseStore()
  readonly all: Candidate[] = []
  readonly seats: Candidate[]
  readonly #podOf: (seat: number) => string
  #started = 0

  constructor(fates: readonly (readonly Fate[])[], jitter: readonly number[], podOf = (seat: number) => `pod-${seat}`) {
    this.#podOf = podOf
    let draws = 0
    const random = () => jitter[draws++ % jitter.length] ?? 0
    this.seats = fates.map((own, seat) => this.#start({ seat, fates: own, random }))
  }

  holders(): Candidate[] {
    return this.all.filter(({ lease }) => lease.held())
  }

  happen(what: Happening): void {
    const candidate = what.who === 'holder' ? this.holders()[0] : this.seats[what.who]
    if (!candidate) return
    if (what.do === 'end') candidate.end()
    if (what.do === 'skew') candidate.clock.skewMs = what.toMs
    // A label, say: the version moves on and the record stays.
    if (what.do === 'meddle' && this.store.spec) this.store.put(this.store.spec)
    if (what.do === 'stop') {
      candidate.clock.stop()
      this.world.after(what.forMs, () => candidate.clock.resume(what.backwards))
    }
  }

  async step(ms: number): Promise<void> {
    await this.world.advance(ms)
    this.seats.forEach((candidate, seat) => {
      if (candidate.ended !== undefined) this.seats[seat] = this.#start({ seat, fates: [], random: () => 0 })
    })
  }

  #start({ seat, fates, random }: { seat: number; fates: readonly Fate[]; random: () => number }): Candidate {
    const parts = { world: this.world, store: this.store, baseMs: seat * 1e9, skewMs: seat * 600_000 }
    const identity = `${this.#podOf(seat)}/${this.#started++}`
    const candidate = new Candidate(parts, { identity, random })
    candidate.fates.push(...fates)
    this.all.push(candidate)
    return candidate.start()
  }
}

const trouble = fc.record({
  mine: fc.array(fate, { maxLength: 40 }),
  theirs: fc.array(fate, { maxLength: 40 }),
  jitter: fc.array(fc.constantFrom(0, 0.125, 0.25, 0.5, 0.75, 0.875), { minLength: 1 }),
  happenings: fc.array(happening, { minLength: 3, maxLength: 12 }),
})
it('is never held by two, whatever the network, the clocks and the scheduler do; and by one again after that', async () => {
  await fc.assert(
    fc.asyncProperty(trouble, async ({ mine, theirs, jitter, happenings }) => {
      const rivals = new Rivals([mine, theirs], jitter)
      for (let at = 0; at <= 100_000; at += stepMs) {
        for (const what of happenings) if (what.at === at) rivals.happen(what)
        // Before anything of a process runs that was stopped, and after.
        expect(rivals.holders().length).toBeLessThanOrEqual(1)
        await rivals.step(stepMs)
        expect(rivals.holders().length).toBeLessThanOrEqual(1)
      }
      for (const candidate of rivals.seats) candidate.fates.length = 0
      for (let second = 0; second < 90; second++) await rivals.step(1_000)
      expect(rivals.holders()).toHaveLength(1)
      const wrong = rivals.all.filter(({ ended }) => ended instanceof Error && !(ended instanceof LeaseLost))
      expect(wrong).toEqual([])
    }),
    { numRuns: 60 },
  )
})

it('A9: of two processes of one pod the older ends; till then both hold it for 10 s at most', async () => {
  await fc.assert(
    fc.asyncProperty(trouble, fc.nat({ max: 400 }), async ({ mine, theirs, jitter, happenings }, after) => {
      const world = new FakeClock()
      const store = new LeaseStore()
      let draws = 0
      const random = () => jitter[draws++ % jitter.length] ?? 0
      const process = (n: number, fates: readonly Fate[]) => {
        const candidate = new Candidate({ world, store }, { identity: `pod/${n}`, random })
        candidate.fates.push(...fates)
        return candidate.start()
      }
      const older = process(1, mine)
      // Without an end: the container that the kubelet has lost sight of goes on.
      for (let step = 0; step < after; step++) await world.advance(stepMs)
      const younger = process(2, theirs)
      let bothMs = 0
      for (let at = 0; at <= 100_000; at += stepMs) {
        for (const what of happenings) {
          if (what.at === at && what.do === 'meddle' && store.spec) store.put(store.spec)
        }
        await world.advance(stepMs)
        if (older.lease.held() && younger.lease.held()) bothMs += stepMs
      }
      expect(bothMs).toBeLessThanOrEqual(10_000)
      expect([older, younger].filter(({ lease }) => lease.held()).length).toBeLessThanOrEqual(1)
      const wrong = [older, younger].filter(({ ended }) => ended !== undefined && !(ended instanceof LeaseLost))
      expect(wrong).toEqual([])
    }),
    { numRuns: 60 },
  )
})
