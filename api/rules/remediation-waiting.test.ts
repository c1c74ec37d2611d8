import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BackoffWorld, group } from '../../test/support/worlds/backoff-world.ts'
import type { BackoffGroup, BackoffTerms } from './backoff-group.ts'
import type { Outcome } from './outcome.ts'
import { planRemediation, type Candidate } from './remediation.ts'

const seconds = 1_000
const minutes = 60 * seconds
const start = Date.UTC(2026, 0, 1)
const terms: BackoffTerms = { initialMs: 30_000, maxMs: 300_000, minHealthyMs: 600_000, patienceMs: 900_000 }

const worlds = fc.record({
  machines: fc.integer({ min: 1, max: 6 }),
  later: fc.integer({ min: 0, max: 12 }),
  outageS: fc.integer({ min: 1, max: 1_500 }),
  removalMs: fc.integer({ min: 1, max: 20 }).map((s) => s * seconds),
  bootMs: fc.integer({ min: 1, max: 60 }).map((s) => s * seconds),
  initialMs: fc.integer({ min: 1, max: 60 }).map((s) => s * seconds),
  restarts: fc.array(fc.integer({ min: 0, max: 1_500 }), { maxLength: 5 }),
})

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never

/** Some are refused, and more come a moment later. */
function scaledUp({ machines, later, outageS, removalMs, bootMs, initialMs, restarts }: World): BackoffWorld {
  const world = new BackoffWorld({
    machines,
    terms: { ...terms, initialMs },
    hasCapacity: (now) => now >= start + outageS * seconds,
    removalMs,
    bootMs,
    waits: true,
    restarts: new Set(restarts.map((s) => start + s * seconds)),
  })
  world.run(seconds)
  world.scaleUp(later)
  return world
}

describe('machines that wait unrequested beside those that failed', () => {
  it('none asks in a pause but those whose time is over, and the calls are as many as pauses end', () => {
    fc.assert(
      fc.property(worlds, (given) => {
        const world = scaledUp(given)
        const until = Math.min(given.outageS * seconds, terms.maxMs)
        world.run(until)
        const pauses = Array.from({ length: given.outageS }, (_, n) => Math.min(terms.maxMs, given.initialMs * 2 ** n))
        let left = until + seconds
        const tries = pauses.filter((pause) => (left -= pause) >= 0).length
        expect(world.callsInPause).toBe(0)
        expect(world.calls - given.machines).toBeLessThanOrEqual(tries)
        expect(world.longestWaitMs).toBeLessThanOrEqual(terms.maxMs)
      }),
      { numRuns: 40 },
    )
  })

  it('when it can be had again all run, and none waited longer than its policy says', () => {
    fc.assert(
      fc.property(worlds, (given) => {
        const world = scaledUp(given)
        world.run(given.outageS * seconds)
        const oneStep = 2 * (given.removalMs + given.bootMs) + 40 * seconds
        const all = given.machines + given.later
        const waves = Math.ceil(Math.log2(all)) * Math.min(15 * seconds, given.initialMs)
        world.run(terms.maxMs + oneStep + waves)
        expect(world.running).toBe(all)
        expect(world.longestWaitMs).toBeLessThanOrEqual(terms.maxMs)
      }),
      { numRuns: 20 },
    )
  })
})

const closed: BackoffGroup = { failures: 1, failedAt: start }
const ends = start + terms.initialMs
const failed: Outcome = {
  is: 'failed',
  group,
  at: start,
  cameUp: false,
  reason: 'InsufficientCapacity',
  requestedAt: start - seconds,
}
const waitingIn = (name: string, since: number): Outcome => ({
  is: 'waiting',
  groups: [name],
  since,
  patientUntil: since + terms.maxMs,
})
const candidate = (key: string, outcome: Outcome): Candidate => ({
  key,
  owner: 'md',
  outcome,
  terms,
  isReleased: false,
  isFixed: false,
})
const planAt = (now: number, machines: readonly Candidate[], known: BackoffGroup = closed) =>
  planRemediation({ now, machines, groups: new Map([[group, known]]) })

it('while one waits for the group, none is replaced to probe, for one wave after the pause', () => {
  const machines = [candidate('a', failed), candidate('b', waitingIn(group, start))]
  expect(planAt(ends, machines).decisions.get('a')).toMatchObject({ do: 'wait' })
  expect(planAt(ends, machines).lookAgainAt).toBe(ends + 15 * seconds)
  expect(planAt(ends + 15 * seconds, machines).decisions.get('a')).toMatchObject({ do: 'replace' })
  const elsewhere = [candidate('a', failed), candidate('b', waitingIn('another', start))]
  expect(planAt(ends, elsewhere).decisions.get('a')).toMatchObject({ do: 'replace' })
})

it('a turn whose owner’s next Machine waits elsewhere is a miss, and the pause begins again', () => {
  const probed = { ...closed, probe: { machine: 'gone', owner: 'md', at: ends } }
  const now = ends + minutes
  const waits = (name: string, since: number) =>
    planAt(now, [candidate('a', failed), candidate('next', waitingIn(name, since))], probed).groups.get(group)
  expect(waits('another', ends)).toEqual({ ...closed, missedAt: now })
  expect(waits('another', ends - seconds), 'it waited before').toEqual(probed)
  expect(waits(group, ends)).toEqual(probed)
})
