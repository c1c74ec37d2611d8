import { describe, expect, it } from 'vitest'
import { facts, minutes, now, own, rungs, seconds } from '../../../test/support/worlds/choice-facts.ts'
import { offeringKey, type Offering } from '../../offering.ts'
import { chooseOffering, type Choice, type Standing } from './choice.ts'
import { afterTry, untried, type Walk } from './tried.ts'

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
