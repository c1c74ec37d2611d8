import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { instancesPath, namesIn, requestIdOf, startGce, type GceFixture, type Message } from './fixture.ts'

const list = 'aggregated/instances'
const action = 'instances.aggregatedList'

const page = (gce: GceFixture, pageToken?: string) =>
  gce.done('GET', list, { query: { maxResults: '5', ...(pageToken !== undefined && { pageToken }) } })

async function insertTwelve(gce: GceFixture): Promise<readonly string[]> {
  for (let at = 0; at < 12; at++) await gce.inserted({ name: `w${at}` })
  return gce.simulator.control
    .instances()
    .map(({ name }) => name)
    .toSorted()
}

async function pages(gce: GceFixture): Promise<(readonly string[])[]> {
  const seen: (readonly string[])[] = []
  let next: Message | undefined
  do {
    next = await page(gce, next?.nextPageToken)
    seen.push(namesIn(next))
  } while (next.nextPageToken !== undefined)
  return seen
}

test.each([
  ['an empty page', 'empty-page', [0, 5, 5, 2]],
  ['a page of half the size', 'short-page', [2, 5, 5]],
  ['a page of twice the size', 'long-page', [10, 2]],
] as const)('%s: whoever follows the tokens sees everything once all the same', async (_, how, sizes) => {
  await using gce = await startGce()
  const inserted = await insertTwelve(gce)
  gce.simulator.control.spoilNext(action, how)
  const seen = await pages(gce)
  expect(seen.map(({ length }) => length)).toEqual(sizes)
  expect(seen.flat()).toEqual(inserted)
})

test('nothing at all can take two pages', async () => {
  await using gce = await startGce()
  gce.simulator.control.spoilNext(action, 'empty-page')
  expect(await pages(gce)).toEqual([[], []])
})

test('a token that repeats itself leads to the same page again', async () => {
  await using gce = await startGce()
  const inserted = await insertTwelve(gce)
  const first = await page(gce)
  gce.simulator.control.spoilNext(action, 'repeated-token', 2)
  for (const again of [await page(gce, first.nextPageToken), await page(gce, first.nextPageToken)]) {
    expect(again.nextPageToken).toBe(first.nextPageToken)
    expect(namesIn(again)).toEqual(inserted.slice(5, 10))
  }
  const { nextPageToken } = await page(gce, first.nextPageToken)
  expect(namesIn(await page(gce, nextPageToken))).toEqual(inserted.slice(10))
})

test('the last page of several never comes; a list of one page is left alone', async () => {
  await using gce = await startGce()
  const inserted = await insertTwelve(gce)
  gce.simulator.control.spoilNext(action, 'lost-page')
  expect(namesIn(await gce.done('GET', list))).toEqual(inserted)
  await expect(pages(gce)).rejects.toThrow('fetch failed')
  expect((await pages(gce)).flat()).toEqual(inserted)
})

test.each([
  ['cut-body', 'terminated'],
  ['half-body', 'JSON'],
  ['garbage', 'JSON'],
] as const)('%s is an error to the caller, though the call was done', async (how, failure) => {
  await using gce = await startGce()
  gce.simulator.control.spoilNext('instances.insert', how)
  await expect(gce.insert({}, requestIdOf(1))).rejects.toThrow(failure)
  const { targetId } = await gce.inserted({}, requestIdOf(1))
  expect(gce.simulator.control.instances()).toMatchObject([{ id: targetId }])
})

test("a proxy's page, and a document of another kind", async () => {
  await using gce = await startGce()
  gce.simulator.control.spoilNext(action, 'proxy-page')
  expect(await gce.call('GET', list)).toMatchObject({ status: 502, text: expect.stringContaining('<html>') as string })
  gce.simulator.control.spoilNext(action, 'foreign-document')
  expect(await gce.call('GET', list)).toMatchObject({ status: 200, json: { status: 'ok' } })
})

test('a call that hangs is done and not answered, until the faults are cleared', async () => {
  await using gce = await startGce()
  await gce.control('spoil-next', { action: 'instances.insert', how: 'hang' })
  const ending = gce.insert().then(
    () => 'answered',
    (error: Error) => error.message,
  )
  await until(() => gce.simulator.requests[0]?.lost === true, 'the call to hang')
  expect(gce.simulator.control.instances()).toHaveLength(1)
  await gce.control('clear-faults', {})
  expect(await ending).toBe('fetch failed')
})

test('operations have pages as well', async () => {
  await using gce = await startGce()
  await insertTwelve(gce)
  gce.simulator.control.spoilNext('globalOperations.aggregatedList', 'short-page')
  const first = await gce.done('GET', 'aggregated/operations', { query: { maxResults: '8' } })
  expect(namesIn(first, 'operations')).toHaveLength(4)
  const query = { pageToken: first.nextPageToken ?? '' }
  expect(namesIn(await gce.done('GET', 'aggregated/operations', { query }), 'operations')).toHaveLength(8)
  expect((await gce.done('GET', instancesPath)).nextPageToken).toBeUndefined()
})
