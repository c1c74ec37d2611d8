import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { rfc3339 } from '../../conditions.ts'
import type { CapacityType, Offering } from '../../offering.ts'
import type { RefusalKind } from '../../refusal.ts'
import { afterSuccess, pauseEndsAt, type BackoffGroup, type BackoffTerms } from '../backoff-group.ts'
import { afterTry, isTried, learn, toldBy, triedAt, untried, type Told, type Walk } from './tried.ts'
import { termsOfGroup } from './what-closes.ts'

const start = Date.UTC(2026, 0, 1)
const seconds = 1_000
const terms: BackoffTerms = { initialMs: 30_000, maxMs: 300_000, minHealthyMs: 600_000, patienceMs: 900_000 }
const offering: Offering = { capacityType: 'Spot', instanceType: 'm5.large', zone: 'a' }
const refused = { offering, rung: 0, kind: 'capacity', code: 'InsufficientInstanceCapacity' } as const

const asked = (of: Offering) => ({
  scope: 's',
  offering: of,
  maxPrice: 'default',
  constraints: '',
  quota: { name: 'standard', size: of.instanceType.length },
})
const reachOf = (code: string, capacityType: CapacityType) => {
  if (code === 'AllocationFailed') return 'hardware'
  return code === 'SkuNotAvailable' && capacityType === 'OnDemand' ? 'unsold' : 'offering'
}
const telling = (now: number) => ({ asked, reachOf, terms, now }) as const

describe('a walk', () => {
  it('keeps the newest 16 tries, the number of all, and the time of the first', () => {
    let walk = untried
    for (let n = 0; n < 20; n++) walk = afterTry(walk, { ...refused, rung: n % 3 }, start + n * seconds)
    expect(walk.tried).toHaveLength(16)
    expect(walk.tried.at(-1)?.at).toBe(rfc3339(start + 19 * seconds))
    expect(walk).toMatchObject({ triedCount: 20, firstRefusedAt: rfc3339(start), invalid: [] })
  })

  it('never forgets which rungs can not work', () => {
    let walk = afterTry(untried, { ...refused, rung: 2, kind: 'invalid' }, start)
    for (let n = 0; n < 20; n++) walk = afterTry(walk, refused, start + n * seconds)
    for (const rung of [2, 1]) walk = afterTry(walk, { ...refused, rung, kind: 'invalid' }, start)
    expect(walk.invalid).toEqual([2, 1])
  })

  it('tells that both markets are closed where the code means the hardware', () => {
    const groups = ['SkuNotAvailable', 'AllocationFailed'].map(
      (code) => toldBy(afterTry(untried, { ...refused, code }, start), telling(start))[0]?.groups,
    )
    expect(groups).toEqual([['pool s Spot:m5.large:a'], ['pool s Spot:m5.large:a', 'pool s OnDemand:m5.large:a']])
  })

  it('tells for six hours what is not sold, beside the usual pause', () => {
    const onDemand: Offering = { ...offering, capacityType: 'OnDemand' }
    const walk = afterTry(untried, { ...refused, offering: onDemand, code: 'SkuNotAvailable' }, start)
    const learnt = learn(new Map(), toldBy(walk, telling(start)))
    const ends = [...learnt].map(([name, group]) => [name, pauseEndsAt(group, termsOfGroup(name, terms)) - start])
    expect(ends).toEqual([
      ['pool s OnDemand:m5.large:a', 30 * seconds],
      ['unsold pool s OnDemand:m5.large:a', 6 * 3_600 * seconds],
    ])
  })

  it('knows when an offering was refused last, by a clock that is not ahead', () => {
    let walk = afterTry(untried, refused, start)
    walk = afterTry(walk, { ...refused, offering: { ...offering, zone: 'b' } }, start + 5 * seconds)
    walk = afterTry(walk, refused, start + 9 * seconds)
    expect(triedAt(walk, offering, start + 10 * seconds)).toBe(start + 9 * seconds)
    expect(triedAt(walk, offering, start + 8 * seconds)).toBe(start)
    expect(triedAt(walk, { ...offering, zone: 'c' }, start + 10 * seconds)).toBeUndefined()
  })
})

describe('an annotation', () => {
  const [tried] = afterTry(untried, refused, start).tried
  it('with what a walk has written is read', () => expect(isTried(JSON.parse(JSON.stringify(tried)))).toBe(true))

  test.each([
    undefined,
    null,
    'text',
    [],
    { ...tried, offering: 'Spot:m5.large' },
    { ...tried, offering: 'Free:m5.large:a' },
    { ...tried, rung: -1 },
    { ...tried, rung: 0.5 },
    { ...tried, rung: '0' },
    { ...tried, kind: 1 },
    { ...tried, code: 'x'.repeat(257) },
    { ...tried, at: 'yesterday' },
  ])('with %j is garbage', (value) => expect(isTried(value)).toBe(false))

  it('with a kind of a newer version tells nothing', () => {
    const walk = { tried: [{ ...tried, kind: 'weather' as RefusalKind }] } as unknown as Walk
    expect(toldBy(walk, telling(start)).flatMap(({ groups }) => groups)).toEqual([])
  })
})

/** Machines of one Cluster are refused one after the other, as the cloud is asked, and each keeps its walk. */
interface Story {
  readonly walks: Walk[]
  /** The memory of the process that heard all of it. */
  readonly heard: ReadonlyMap<string, BackoffGroup>
  readonly now: number
}

const steps = fc.array(
  fc.record({
    machine: fc.integer({ min: 0, max: 4 }),
    afterS: fc.integer({ min: 0, max: 90 }),
    offering: fc.record({
      capacityType: fc.constantFrom<CapacityType>('Spot', 'OnDemand'),
      instanceType: fc.constantFrom('m5.large', 'g5'),
      zone: fc.constantFrom('a', 'b'),
    }),
    kind: fc.constantFrom<RefusalKind>('capacity', 'capacity', 'quota', 'price', 'invalid', 'throttled'),
    code: fc.constantFrom('AllocationFailed', 'SkuNotAvailable'),
  }),
  { minLength: 1, maxLength: 60 },
)
type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never

function told(story: Steps): Story {
  const walks = Array.from({ length: 5 }, () => untried)
  let heard: ReadonlyMap<string, BackoffGroup> = new Map()
  let now = start
  for (const { machine, afterS, ...refusal } of story) {
    now += afterS * seconds
    const walk = afterTry(walks[machine] ?? untried, { ...refusal, rung: 0 }, now)
    walks[machine] = walk
    heard = learn(heard, toldBy({ tried: walk.tried.slice(-1) }, telling(now)))
  }
  return { walks, heard, now }
}

const everyTold = ({ walks, now }: Story): Told[] => walks.flatMap((walk) => [...toldBy(walk, telling(now))])

describe('a restart or a move', () => {
  it('learns from what the machines have tried what the process before had heard', () => {
    fc.assert(
      fc.property(steps, (given) => {
        const story = told(given)
        fc.pre(story.walks.every(({ triedCount }) => triedCount <= 16))
        expect(learn(new Map(), everyTold(story))).toEqual(story.heard)
      }),
    )
  })

  it('adds what was not stored yet', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (given, cut) => {
        const story = told(given)
        fc.pre(story.walks.every(({ triedCount }) => triedCount <= 16))
        const stored = told(given.slice(0, cut % given.length)).heard
        expect(learn(stored, everyTold(story))).toEqual(story.heard)
      }),
    )
  })

  it('changes nothing that was stored, however often and in whatever order it is told', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 4 }), (given, turn) => {
        const story = told(given)
        const again = everyTold({ ...story, walks: [...story.walks.slice(turn), ...story.walks.slice(0, turn)] })
        const once = learn(story.heard, again)
        expect(once).toEqual(story.heard)
        expect(learn(once, [...again, ...again])).toEqual(story.heard)
      }),
    )
  })

  it('does not close a group again that a machine has opened since', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 600 }), (given, afterS) => {
        const story = told(given)
        const ran = { requestedAt: story.now + afterS * seconds, at: story.now + (afterS + 30) * seconds }
        const open = new Map([...story.heard].map(([name, group]) => [name, afterSuccess(group, ran)]))
        expect(learn(open, everyTold(story))).toEqual(open)
      }),
    )
  })

  it('ignores a time that has not come: it comes from another clock', () => {
    const ahead = afterTry(untried, refused, start + 60 * seconds)
    expect(toldBy(ahead, telling(start))).toEqual([])
    expect(toldBy(ahead, telling(start + 60 * seconds))).toHaveLength(1)
  })
})
