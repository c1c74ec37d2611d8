import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { offeringKey, type CapacityType, type Offering } from '../../offering.ts'
import { offeringsOf, rungsOf, type FallbackEntry } from './rung.ts'
import { pauseEndsAt, type BackoffGroup, type BackoffTerms } from '../backoff-group.ts'
import { chooseOffering, type Choice, type ChoiceFacts, type RungOfferings, type Standing } from './choice.ts'
import { afterTry, learn, toldBy, triedAt, untried, type Walk } from './tried.ts'
import { holds } from './what-closes.ts'

const now = Date.UTC(2026, 0, 1, 12)
const seconds = 1_000
const minutes = 60 * seconds
const restMs = 30 * seconds
const own = { capacityType: 'Spot', instanceType: 'm5.large' } as const
const around = { zones: ['a', 'b'], failureDomain: undefined, inOrder: (zones: readonly string[]) => zones }

function rungs(...fallback: FallbackEntry[]): RungOfferings[] {
  return rungsOf(own, fallback).map((rung) => ({
    rung,
    offerings: offeringsOf(rung, { ...around, isSold: () => true }),
  }))
}

const facts = (more: Partial<ChoiceFacts>): ChoiceFacts => ({
  rungs: rungs(),
  walk: untried,
  memory: () => ({ is: 'open' }),
  since: now,
  now,
  restMs,
  ...more,
})
const closed =
  (...keys: string[]) =>
  (offering: Offering): Standing => ({
    is: keys.includes(offeringKey(offering)) ? 'closed' : 'open',
    until: now + minutes,
  })
const said = (choice: Choice) => (choice.do === 'ask' ? `${choice.rung} ${offeringKey(choice.offering)}` : choice)

describe('a machine asks', () => {
  it('for the first zone of its first type, and then for the next zone', () => {
    expect(said(chooseOffering(facts({})))).toBe('0 Spot:m5.large:a')
    expect(said(chooseOffering(facts({ memory: closed('Spot:m5.large:a') })))).toBe('0 Spot:m5.large:b')
  })

  it('for the next rung when the one before is closed, and no sooner than `after`', () => {
    const memory = closed('Spot:m5.large:a', 'Spot:m5.large:b')
    const given = { rungs: rungs({ capacityType: 'OnDemand', after: '10m' }), memory }
    const at = (ms: number) => said(chooseOffering(facts({ ...given, since: now - ms })))
    expect(at(10 * minutes)).toBe('1 OnDemand:m5.large:a')
    expect(at(9.5 * minutes)).toEqual({ do: 'wait', because: 'closed', until: now + 30 * seconds })
    expect(at(0)).toEqual({ do: 'wait', because: 'closed', until: now + minutes })
  })

  it('for what took an instance back after all others, but never waits for it', () => {
    const avoids = (key: string) => (offering: Offering) =>
      offeringKey(offering) === key ? ({ is: 'open', isAvoided: true } as const) : closed('Spot:m5.large:b')(offering)
    const memory = avoids('Spot:m5.large:a')
    const onDemand = (after: string) => rungs({ capacityType: 'OnDemand', after })
    expect(said(chooseOffering(facts({ memory, rungs: onDemand('0s') })))).toBe('1 OnDemand:m5.large:a')
    expect(said(chooseOffering(facts({ memory, rungs: onDemand('10m') })))).toBe('0 Spot:m5.large:a')
  })

  it('on demand at once when the distribution wants that, and for no spot', () => {
    const given = { rungs: rungs({ capacityType: 'OnDemand', after: '10m' }), market: 'OnDemand' as const }
    expect(said(chooseOffering(facts(given)))).toBe('1 OnDemand:m5.large:a')
    const memory = closed('OnDemand:m5.large:a', 'OnDemand:m5.large:b')
    expect(chooseOffering(facts({ ...given, memory }))).toMatchObject({ do: 'wait', until: now + minutes })
  })

  it('for other markets where no rung of the wanted one can work', () => {
    const walk: Walk = { ...untried, invalid: [1] }
    const given = { rungs: rungs({ capacityType: 'OnDemand' }), market: 'OnDemand' as const, walk }
    expect(said(chooseOffering(facts(given)))).toBe('0 Spot:m5.large:a')
  })

  it('for nothing within 15 s after each eighth refusal, so that others can', () => {
    let walk = untried
    const refused = { offering: { ...own, zone: 'a' }, rung: 0, kind: 'capacity', code: 'c' } as const
    for (let n = 0; n < 8; n++) {
      expect(chooseOffering(facts({ walk })).do).toBe('ask')
      walk = afterTry(walk, refused, now)
    }
    const until = now + 15 * seconds
    expect(chooseOffering(facts({ walk }))).toEqual({ do: 'wait', because: 'yield', until })
    expect(chooseOffering(facts({ walk, now: until })).do).toBe('ask')
    expect(chooseOffering(facts({ walk: afterTry(walk, refused, now) })).do).toBe('ask')
  })
})

describe('a machine waits', () => {
  it('for an event where nobody knows a time', () => {
    const memory = (): Standing => ({ is: 'closed' })
    expect(chooseOffering(facts({ memory }))).toEqual({ do: 'wait', because: 'closed', until: undefined })
  })

  it('no longer than `after` says when its clock was set back', () => {
    const memory = closed('Spot:m5.large:a', 'Spot:m5.large:b')
    const given = { rungs: rungs({ capacityType: 'OnDemand', after: '20s' }), memory, since: now + 60 * minutes }
    expect(chooseOffering(facts(given))).toMatchObject({ do: 'wait', until: now + 20 * seconds })
  })
})

const types = ['m5.large', 'm5a.large', 'm6i.large']
const entries = fc.record(
  {
    capacityType: fc.constantFrom<CapacityType>('Spot', 'OnDemand'),
    instanceTypes: fc.subarray(types),
    zones: fc.subarray(['a', 'b', 'c']),
    after: fc.constantFrom('0s', '20s', '10m'),
  },
  { requiredKeys: [] },
)
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

/** What the words of the design say, one offering at a time. */
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

/** One machine walks through a cloud that has capacity in some places, with a memory that learns. */
class Walker {
  walk = untried
  at = now
  readonly asked: { key: string; at: number }[] = []
  #groups: ReadonlyMap<string, BackoffGroup> = new Map()
  readonly #rungs: RungOfferings[]
  readonly #terms: BackoffTerms = {
    initialMs: restMs,
    maxMs: 30 * minutes,
    minHealthyMs: 10 * minutes,
    patienceMs: 30 * minutes,
  }

  constructor(fallback: readonly FallbackEntry[]) {
    this.#rungs = rungs(...fallback)
  }

  get offerings(): Offering[] {
    return this.#rungs.flatMap(({ offerings }) => offerings)
  }

  /** Returns the offering that it got, or what it waits for in the end. */
  run(has: (offering: Offering) => boolean, forMs: number): string | Choice {
    for (;;) {
      const choice = chooseOffering(
        facts({ rungs: this.#rungs, walk: this.walk, memory: (one) => this.#memory(one), since: now, now: this.at }),
      )
      if (choice.do === 'wait' && choice.until !== undefined && choice.until <= now + forMs) this.at = choice.until
      else if (choice.do !== 'ask') return choice
      else if (this.#ask(choice, has)) return offeringKey(choice.offering)
    }
  }

  #ask({ rung, offering }: Choice & { do: 'ask' }, has: (offering: Offering) => boolean): boolean {
    this.asked.push({ key: offeringKey(offering), at: this.at })
    if (has(offering)) return true
    this.walk = afterTry(this.walk, { rung, offering, kind: 'capacity', code: 'c' }, this.at)
    this.at += seconds
    const telling = { asked: askedFor, reachOf: () => 'offering' as const, terms: this.#terms, now: this.at }
    this.#groups = learn(this.#groups, toldBy(this.walk, telling))
    return false
  }

  #memory(offering: Offering): Standing {
    const holding = [...this.#groups].filter(([name]) => holds(name, askedFor(offering)))
    const until = Math.max(0, ...holding.map(([, group]) => pauseEndsAt(group, this.#terms)))
    return until > this.at ? { is: 'closed', until } : { is: 'open' }
  }
}

const askedFor = (offering: Offering) => ({
  scope: 's',
  offering,
  maxPrice: 'default',
  constraints: '',
  quota: { name: 'standard', size: 1 },
})

describe('a machine that walks through a dry cloud', () => {
  const fallbacks = fc.array(entries, { maxLength: 4 })

  it('gets what there is, as soon as `after` allows, and asks for each offering before it at most once a pause', () => {
    fc.assert(
      fc.property(fallbacks, fc.nat(), (fallback, pick) => {
        const walker = new Walker(fallback)
        const all = walker.offerings
        const there = offeringKey(all[pick % all.length] ?? { ...own, zone: 'a' })
        const got = walker.run((one) => offeringKey(one) === there, 30 * minutes)
        expect(got).toBe(there)
        const tookMs = walker.at - now
        const slack = (all.length * 2 + 10) * 16 * seconds
        expect(tookMs).toBeLessThanOrEqual(10 * minutes + slack)
      }),
    )
  })

  it('asks for each offering ever more seldom, and never for one twice within the rest', () => {
    fc.assert(
      fc.property(fallbacks, (fallback) => {
        const walker = new Walker(fallback)
        expect(walker.run(() => false, 30 * minutes)).toMatchObject({ do: 'wait' })
        for (const times of Map.groupBy(walker.asked, ({ key }) => key).values()) {
          const pauses = times.slice(1).map(({ at }, n) => at - (times[n]?.at ?? at))
          expect(pauses.every((ms) => ms >= restMs)).toBe(true)
          // 30 s, 1, 2, 4, 8, 16 min
          expect(times.length).toBeLessThanOrEqual(6)
        }
      }),
    )
  })
})
