import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entries, facts, now, restMs, rungs, seconds } from '../../../test/support/worlds/choice-facts.ts'
import { offeringKey, type Offering } from '../../offering.ts'
import { chooseOffering, type ChoiceFacts } from './choice.ts'
import { afterTry, triedAt, untried } from './tried.ts'

const standings = fc.oneof(
  fc.record({ is: fc.constant('open' as const), isAvoided: fc.boolean() }),
  fc.record({ is: fc.constant('closed' as const), until: fc.integer({ min: 1, max: 900 }).map((s) => now + s * 1000) }),
  fc.constant({ is: 'closed' as const }),
)
const scenes = fc.record({
  fallback: fc.array(entries, { maxLength: 5 }),
  standings: fc.array(standings, { minLength: 1, maxLength: 12 }),
  tries: fc.array(fc.record({ pick: fc.nat(), agoS: fc.integer({ min: 0, max: 60 }), isInvalid: fc.boolean() }), {
    maxLength: 20,
  }),
  sinceS: fc.integer({ min: 0, max: 900 }),
})
type Scene = typeof scenes extends fc.Arbitrary<infer T> ? T : never

/** The same for each offering, wherever it is listed. */
function factsIn({ fallback, standings: all, tries, sinceS }: Scene): ChoiceFacts {
  const given = rungs(...fallback)
  const listed = given.flatMap(({ rung, offerings }) => offerings.map((offering) => ({ rung: rung.index, offering })))
  const keys = [...new Set(listed.map(({ offering }) => offeringKey(offering)))]
  const memory = (offering: Offering) =>
    all[keys.indexOf(offeringKey(offering)) % all.length] ?? { is: 'open' as const }
  let walk = untried
  for (const { pick, agoS, isInvalid } of tries.toSorted((a, b) => b.agoS - a.agoS)) {
    const one = listed[pick % listed.length]
    if (one) walk = afterTry(walk, { ...one, kind: isInvalid ? 'invalid' : 'capacity', code: 'c' }, now - agoS * 1000)
  }
  return facts({ rungs: given, memory, walk, since: now - sinceS * seconds })
}

interface Listed {
  readonly rung: number
  readonly offering: Offering
  readonly mayBeAsked: boolean
  readonly isAvoided: boolean
}

/** Tells of each offering by itself whether it may be asked for, as the design says it. */
function listedIn({ rungs: given, walk, memory, since, now: at }: ChoiceFacts): Listed[] {
  return given.flatMap(({ rung, offerings }) =>
    offerings.map((offering) => {
      const standing = memory(offering)
      const hasRested = (triedAt(walk, offering, at) ?? 0) + restMs <= at
      const isReady = !walk.invalid.includes(rung.index) && at - since >= (rung.afterMs ?? Infinity)
      const isAvoided = standing.is === 'open' && standing.isAvoided === true
      return { rung: rung.index, offering, mayBeAsked: standing.is === 'open' && hasRested && isReady, isAvoided }
    }),
  )
}

describe('for any rungs, any memory and any walk', () => {
  it('the first that may be asked is asked, in the order of rungs, types and zones', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const given = factsIn(scene)
        const may = listedIn(given).filter(({ mayBeAsked }) => mayBeAsked)
        const first = may.find(({ isAvoided }) => !isAvoided) ?? may[0]
        const choice = chooseOffering(given)
        fc.pre(choice.do !== 'wait' || choice.because !== 'yield')
        const asked = choice.do === 'ask' ? { rung: choice.rung, offering: choice.offering } : undefined
        expect(asked).toEqual(first && { rung: first.rung, offering: first.offering })
      }),
      { numRuns: 300 },
    )
  })

  it('no rung is asked before its `after`', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const given = factsIn(scene)
        const choice = chooseOffering(given)
        if (choice.do !== 'ask') return
        const afterMs = given.rungs[choice.rung]?.rung.afterMs
        expect(now - given.since).toBeGreaterThanOrEqual(afterMs ?? Infinity)
      }),
    )
  })

  it('fails only when no rung can ever work', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const given = factsIn(scene)
        const works = given.rungs.some(
          ({ rung, offerings }) => offerings.length > 0 && !given.walk.invalid.includes(rung.index),
        )
        expect(chooseOffering(given).do === 'fail').toBe(!works)
      }),
    )
  })

  it('waits exactly until it may ask', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const given = factsIn(scene)
        const choice = chooseOffering(given)
        if (choice.do !== 'wait' || choice.until === undefined) return
        const { until } = choice
        expect(until).toBeGreaterThan(now)
        // Each closed offering opens at the time that the memory named.
        const at = (time: number) =>
          chooseOffering({
            ...given,
            now: time,
            memory: (offering) => {
              const standing = given.memory(offering)
              const isOver = standing.is === 'closed' && (standing.until ?? Infinity) <= time
              return isOver ? { is: 'open' } : standing
            },
          })
        expect(at(until - 1).do).toBe('wait')
        expect(at(until).do === 'ask' || choice.because === 'yield').toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
