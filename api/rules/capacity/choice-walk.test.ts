import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entries, facts, minutes, now, own, restMs, rungs, seconds } from '../../../test/support/worlds/choice-facts.ts'
import { offeringKey, type Offering } from '../../offering.ts'
import { pauseEndsAt, type BackoffGroup, type BackoffTerms } from '../backoff-group.ts'
import { chooseOffering, type Choice, type RungOfferings, type Standing } from './choice.ts'
import type { FallbackEntry } from './rung.ts'
import { afterTry, learn, toldBy, untried } from './tried.ts'
import { holds } from './what-closes.ts'

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
