import { expect, test } from 'vitest'
import type { SimulatedCloudRig } from './rig.ts'
import { createAgain, createRunning, pagesOf, statesOf } from './steps.ts'

/** Lists that know only the past. */
export function sightCases({ start, words }: SimulatedCloudRig): void {
  const { made, running, ending, ended, interrupted } = words
  const nothing = 'nothing'

  test('an instance is in lists late; whether it is under its id, too, is the way of the cloud', async () => {
    await using rig = await start()
    rig.simulator.control.invisible({ create: 3000 })
    const id = await rig.create()
    await rig.clock.advance(2999)
    expect([await statesOf(rig), await rig.find(id)]).toEqual([[], words.findsLate ? undefined : running])
    await rig.clock.advance(1)
    expect([await statesOf(rig), await rig.find(id)]).toEqual([[running], running])
  })

  test('what no list shows yet is known to a second creation all the same', async () => {
    await using rig = await start()
    rig.simulator.control.invisible(60_000)
    rig.simulator.control.lag({ minMs: 60_000, maxMs: 60_000 })
    const id = await rig.create({ name: 'known' })
    await rig.clock.advance(2000)
    expect(await createAgain(rig, 'known')).toBe(words.repeated ?? id)
    expect(await statesOf(rig)).toEqual([])
    expect(rig.made()).toEqual([id])
  })

  test.each([
    ['an end', ending, ended ?? nothing],
    ['an interruption', ...interrupted],
  ])('%s is seen late, state by state; a creation is not', async (how, going, gone) => {
    await using rig = await start({ shutdownMs: 1000 })
    rig.simulator.control.invisible({ delete: 5000 })
    const id = await rig.create()
    expect(await statesOf(rig)).toEqual([made])
    await rig.clock.advance(10_000)
    if (how === 'an end') await rig.end(id)
    else rig.simulator.control.interrupt(id)
    const seen: unknown[] = []
    const found: unknown[] = []
    for (const wait of [0, 4999, 1, 999, 1]) {
      await rig.clock.advance(wait)
      seen.push((await statesOf(rig))[0] ?? nothing)
      found.push((await rig.find(id)) ?? nothing)
    }
    const late = [running, running, going, going, gone]
    expect(seen).toEqual(late)
    expect(found).toEqual(words.findsLate ? late : [going, gone, gone, gone, gone])
  })

  test('an instance that is gone without a trace is still shown for a while', async () => {
    await using rig = await start()
    const id = await createRunning(rig)
    await rig.clock.advance(8000)
    rig.simulator.control.invisible({ delete: 5000 })
    rig.simulator.control.vanish(id)
    expect(await rig.find(id)).toBe(words.findsLate ? running : undefined)
    await rig.clock.advance(4999)
    expect(await statesOf(rig)).toEqual([running])
    await rig.clock.advance(1)
    expect(await statesOf(rig)).toEqual([])
  })

  test('an instance that no list shows yet can be ended', async () => {
    await using rig = await start()
    rig.simulator.control.invisible({ create: 60_000 })
    await rig.end(await createRunning(rig))
    await rig.clock.advance(1000)
    expect(rig.simulator.control.instances().filter(({ state }) => state !== ended)).toEqual([])
  })
}

/** Where calls that change something can be as late as lists. */
export function lateCallCases({ start, words }: SimulatedCloudRig): void {
  test('an instance that no list shows yet cannot be ended where calls are late as well', async () => {
    await using rig = await start()
    await rig.control('invisible', { create: '3s', writes: true })
    const id = await rig.create()
    expect(await rig.refusalOf(rig.end(id))).toMatchObject(words.notFound)
    await rig.clock.advance(3000)
    await rig.end(id)
    expect(await statesOf(rig)).toEqual([words.ending])
  })
}

/** Lists of which each is late by a time of its own. */
export function lagCases({ start, words }: SimulatedCloudRig): void {
  const { made, running } = words

  /** What is seen of one instance in the quarter of a minute after its creation, by two lists a second. */
  async function sightings(seed: number): Promise<string[]> {
    await using rig = await start({ lag: { minMs: 0, maxMs: 10_000, seed } })
    await rig.create()
    const seen: string[] = []
    for (let list = 0; list < 30; list++) {
      seen.push((await statesOf(rig))[0] ?? 'nothing')
      await rig.clock.advance(500)
    }
    return seen
  }

  test('with a lag each list shows a past moment of its own, the same ones for the same seed', async () => {
    const [first, again, other] = [await sightings(7), await sightings(7), await sightings(8)]
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    // What one list shows the next one may not show.
    const firstSeen = first.findIndex((state) => state !== 'nothing')
    expect(first.slice(firstSeen)).toContain('nothing')
    // Two seconds to boot and ten of lag: from then on every list is right.
    expect(new Set(first.slice(24))).toEqual(new Set([running]))
  })

  test('what is gone is still in a list that is late', async () => {
    await using rig = await start()
    const id = await createRunning(rig)
    await rig.clock.advance(8000)
    await rig.control('lag', { min: '5s' })
    rig.simulator.control.vanish(id)
    await rig.clock.advance(4999)
    expect(await pagesOf(rig)).toEqual([[id]])
    await rig.clock.advance(1)
    expect(await pagesOf(rig)).toEqual([[]])
  })

  test('over HTTP, and back to now', async () => {
    await using rig = await start()
    await rig.control('invisible', { create: '3s' })
    await rig.control('lag', { min: '1s', max: '2s', seed: 3 })
    await rig.create({ name: 'late-1' })
    await rig.clock.advance(3999)
    expect(await statesOf(rig)).toEqual([])
    await rig.clock.advance(1001)
    expect(await statesOf(rig)).toEqual([running])
    await rig.control('invisible', {})
    await rig.control('lag', { min: '0' })
    await rig.create({ name: 'late-2' })
    expect(await statesOf(rig)).toEqual([running, made])
  })
}
