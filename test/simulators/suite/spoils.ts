import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import type { SimulatedCloudRig } from './rig.ts'
import { createAgain, createMany, endOf, pagesOf } from './steps.ts'
import type { Words } from './words.ts'

/** Pages that are wrong, and answers that come to harm on their way. */
export function spoilCases({ start, words }: SimulatedCloudRig): void {
  const { create, list } = words

  test.each([
    ['an empty page', 'empty-page', [0, 5, 5, 2]],
    ['a page of half the size', 'short-page', [2, 5, 5]],
    ['a page of twice the size', 'long-page', [10, 2]],
  ] as const)('%s: a caller that follows the tokens sees everything once all the same', async (_, how, sizes) => {
    await using rig = await start()
    const made = await createMany(rig, 12)
    rig.simulator.control.spoilNext(list, how)
    const seen = await pagesOf(rig)
    expect(seen.map(({ length }) => length)).toEqual(sizes)
    expect(seen.flat()).toEqual(made)
  })

  test('an empty list can take two pages', async () => {
    await using rig = await start()
    rig.simulator.control.spoilNext(list, 'empty-page')
    expect(await pagesOf(rig)).toEqual([[], []])
  })

  test('an empty last page has a token too', async () => {
    await using rig = await start()
    const made = await createMany(rig, 12)
    rig.simulator.control.spoilNext(list, 'empty-page', 2)
    expect(await pagesOf(rig)).toEqual([[], [], made.slice(0, 5), made.slice(5, 10), made.slice(10)])
  })

  test('a token that repeats itself leads to the same page again', async () => {
    await using rig = await start()
    const made = await createMany(rig, 12)
    const first = await rig.page()
    rig.simulator.control.spoilNext(list, 'repeated-token', 2)
    for (const again of [await rig.page(first.next), await rig.page(first.next)]) {
      expect(again.next).toBe(first.next)
      expect(again.items.map(({ id }) => id)).toEqual(made.slice(5, 10))
    }
    const { next } = await rig.page(first.next)
    expect((await rig.page(next)).items.map(({ id }) => id)).toEqual(made.slice(10))
  })

  test('a first page may lead to itself', async () => {
    await using rig = await start()
    const made = await createMany(rig, 12)
    rig.simulator.control.spoilNext(list, 'repeated-token', 2)
    const { next } = await rig.page()
    const again = await rig.page(next)
    expect([again.items.map(({ id }) => id), again.next]).toEqual([made.slice(0, 5), next])
  })

  test('the last page of several never comes; a list of one page is left alone', async () => {
    await using rig = await start()
    await createMany(rig, 4)
    rig.simulator.control.spoilNext(list, 'lost-page')
    expect(await pagesOf(rig)).toEqual([rig.made()])
    for (let more = 1; more <= 8; more++) await rig.create({ name: `more-${more}` })
    expect(await endOf(pagesOf(rig))).toMatch(words.cutOff)
    const lists = rig.simulator.requests.filter(({ action }) => action === list)
    expect(lists.map(({ lost }) => lost)).toEqual([false, false, false, true])
    expect((await pagesOf(rig)).flat()).toEqual(rig.made())
  })

  harmCases({ start, words })

  test('a document of another kind comes in place of a list', async () => {
    await using rig = await start()
    rig.simulator.control.spoilNext(list, 'foreign-document')
    expect(await rig.rawList()).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^(\{"status":"ok"\}|<\?xml.*\n<status>ok<\/status>\n)$/) as string,
    })
  })

  test('a call that hangs is done and not answered, until the faults are cleared', async () => {
    await using rig = await start()
    await rig.control('spoil-next', { action: create, how: 'hang' })
    let isOver = false
    const ending = endOf(rig.create()).finally(() => (isOver = true))
    await until(() => rig.simulator.requests.some(({ lost }) => lost), 'the call to hang')
    expect(rig.made()).toHaveLength(1)
    await rig.clock.advance(600_000)
    await rig.page()
    expect(isOver).toBe(false)
    await rig.control('clear-faults', {})
    expect(await ending).toMatch(words.cutOff)
  })

  test('a call that hangs ends with the simulator', async () => {
    const rig = await start()
    rig.simulator.control.spoilNext(create, 'hang')
    const ending = endOf(rig.create())
    await until(() => rig.simulator.requests.some(({ lost }) => lost), 'the call to hang')
    await rig[Symbol.asyncDispose]()
    expect(await ending).toMatch(words.cutOff)
  })
}

function harmCases({ start, words }: Pick<SimulatedCloudRig, 'start' | 'words'>): void {
  const harms = Object.entries(words.harmed) as [keyof Words['harmed'], RegExp][]

  test.each(harms)('%s is an error to the client, though the call was done', async (how, failure) => {
    await using rig = await start()
    rig.simulator.control.spoilNext(words.create, how)
    expect(await endOf(rig.create({ name: 'harmed' }))).toMatch(failure)
    const made = rig.made()
    expect(made).toHaveLength(1)
    expect(await createAgain(rig, 'harmed')).toBe(words.repeated ?? made[0])
    expect(rig.made()).toEqual(made)
  })

  test('a refusal can come to harm as well', async () => {
    await using rig = await start()
    const { control } = rig.simulator
    await rig.prepare(2)
    control.spoilNext(words.create, 'proxy-page')
    control.failNext(words.create, 2, { code: words.refused.code, message: 'No.' })
    expect(await endOf(rig.create())).toMatch(words.harmed['proxy-page'])
    expect(await rig.refusalOf(rig.create())).toMatchObject(words.refused)
    expect(rig.made()).toEqual([])
  })
}

/** Where the client takes a foreign document for an empty list. */
export function foreignCases({ start, words }: SimulatedCloudRig): void {
  test('a document of another kind is no error to the client: it reads a list in which nothing stands', async () => {
    await using rig = await start()
    await createMany(rig, 6)
    rig.simulator.control.spoilNext(words.list, 'foreign-document')
    expect(await rig.page()).toEqual({ items: [], next: undefined })
  })
}
