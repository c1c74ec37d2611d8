import { expect, test } from 'vitest'
import type { SimulatedCloudRig } from './rig.ts'
import { createMany, endOf, pagesOf } from './steps.ts'

/** What a cloud has to give. */
export function capacityCases({ start, words }: SimulatedCloudRig): void {
  const { noCapacity, types, zones } = words
  const spotOfType = { market: 'spot', instanceType: types.usual }

  test.each<[string, object, readonly [boolean, boolean, boolean, boolean]]>([
    ['anything', {}, [false, false, false, false]],
    ['a type', { instanceType: types.usual }, [false, true, false, false]],
    ['a zone', { zone: zones.home }, [false, false, true, false]],
    ['another zone', { zone: zones.other }, [true, true, false, true]],
    ['spot instances', { market: 'spot' }, [false, false, false, true]],
    ['spot instances of a type', spotOfType, [false, true, false, true]],
    ['spot instances in a zone', { market: 'spot', zone: zones.home }, [false, false, true, true]],
  ])('no capacity for %s', async (_, hole, given) => {
    await using rig = await start()
    await rig.control('no-capacity', hole)
    expect((await rig.control('capacity')).json).toEqual([hole])
    const fates = [
      await rig.fate(),
      await rig.fate({ size: 'other' }),
      await rig.fate({ zone: 'other' }),
      (await rig.fate({ market: 'on-demand' })) === undefined,
    ]
    const told = given.slice(0, 3).map((has) => (has ? undefined : noCapacity))
    expect(fates).toEqual([...told, given[3]])
  })

  test('so many pieces of an offering run at a time, and what is refused takes none', async () => {
    await using rig = await start()
    await rig.control('no-capacity', { ...spotOfType, zone: zones.home, pieces: 2 })
    const first = await rig.create()
    await rig.clock.advance(2000)
    expect([await rig.fate(), await rig.fate(), await rig.fate()]).toEqual([undefined, noCapacity, noCapacity])
    const others = [await rig.fate({ size: 'other' }), await rig.fate({ zone: 'other' })]
    expect([...others, await rig.fate({ market: 'on-demand' })]).toEqual([undefined, undefined, undefined])
    await rig.end(first)
    await rig.clock.advance(60_000)
    expect([await rig.fate(), await rig.fate()]).toEqual([undefined, noCapacity])
  })

  test.each([-1, 0.5])('%s pieces are refused in a sentence', async (pieces) => {
    await using rig = await start()
    const { status, text } = await rig.control('no-capacity', { pieces })
    expect([status, text]).toEqual([400, expect.stringContaining('must be a whole number from 0.')])
  })

  test('capacity comes back when it is said, or at its time', async () => {
    await using rig = await start()
    await rig.control('no-capacity', { instanceType: types.usual })
    await rig.control('no-capacity', { instanceType: types.other, for: '1m' })
    const until = rig.clock.now() + 60_000
    expect((await rig.control('capacity')).json).toEqual([
      { instanceType: types.usual },
      { instanceType: types.other, until },
    ])
    await rig.control('capacity-back', { instanceType: types.usual })
    expect([await rig.fate(), await rig.fate({ size: 'other' })]).toEqual([undefined, noCapacity])
    await rig.clock.advance(60_000)
    expect((await rig.control('capacity')).json).toEqual([])
    expect(await rig.fate({ size: 'other' })).toBeUndefined()
  })
}

/** How often an account may call. */
export function bucketCases({ start, words }: SimulatedCloudRig): void {
  test('calls that come too often are refused, recorded and not done; other calls are not hurt', async () => {
    await using rig = await start()
    await rig.prepare(12)
    rig.simulator.control.resetCounts()
    const refillMs = rig.limit('creations', 5)
    const ends = await Promise.all(Array.from({ length: 8 }, () => endOf(rig.create())))
    expect(ends.filter((end) => end === 'answered')).toHaveLength(5)
    expect(await rig.refusalOf(rig.create())).toMatchObject(words.limited)
    expect((await rig.page()).items).toHaveLength(5)
    expect(rig.made()).toHaveLength(5)
    const codes = { OK: 5, [words.limited.code]: 4 }
    expect(rig.simulator.control.counts().actions[words.create]).toEqual({ calls: 9, lost: 0, codes })
    await rig.clock.advance(refillMs - 1)
    expect(await rig.refusalOf(rig.create())).toMatchObject(words.limited)
    await rig.clock.advance(1)
    await rig.create()
  })

  test('a caller that is not let in takes nothing from the account', async () => {
    await using rig = await start()
    rig.limit('lists', 1)
    expect([401, 403]).toContain((await rig.listAsNobody()).status)
    await rig.page()
    expect(await rig.refusalOf(rig.page())).toMatchObject(words.limited)
  })

  test('limits can be switched on, widened and switched off while it runs', async () => {
    await using rig = await start()
    const { scale, count } = words.realCreations
    await rig.prepare(5 * count + 8)
    const letIn = async (calls: number) => {
      const ends = await Promise.all(Array.from({ length: calls }, () => endOf(rig.create())))
      return ends.filter((end) => end === 'answered').length
    }
    expect(await letIn(count + 2)).toBe(count + 2)
    expect((await rig.control('buckets')).json).toEqual({})
    for (const times of [1, 2]) {
      await rig.control('buckets', { table: 'real', scale: scale * times })
      expect(await letIn(count * times + 2)).toBe(count * times)
    }
    expect(Object.values((await rig.control('buckets')).json as Record<string, number>)).toContain(0)
    rig.simulator.control.buckets('none')
    expect(await letIn(count + 2)).toBe(count + 2)
    expect((await rig.control('buckets')).json).toEqual({})
  })
}

/** Lists while others come and go. */
export function pageCases({ start }: SimulatedCloudRig): void {
  test('pages hold every instance once, though others come and go meanwhile', async () => {
    await using rig = await start()
    const made = await createMany(rig, 12)
    // The last one of each page vanishes: the next page must begin behind it all the same.
    const seen = await pagesOf(rig, (ids) => rig.simulator.control.vanish(ids.at(-1) ?? ''))
    expect(seen.map(({ length }) => length)).toEqual([5, 5, 2])
    expect(seen.flat()).toEqual(made)
  })
}
