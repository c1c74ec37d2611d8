import { expect, test } from 'vitest'
import {
  instancesPath,
  namesIn,
  refusalOf,
  startGce,
  usualInsert,
  zone,
  type GceFixture,
  type Message,
} from './fixture.ts'

const names = Array.from({ length: 12 }, (_, at) => `worker-${String(at).padStart(2, '0')}`)
const otherZone = 'us-east1-b'

async function insertTwelve(gce: GceFixture): Promise<void> {
  for (const name of names) await gce.inserted({ name })
}

/** One in another region. */
async function insertElsewhere(gce: GceFixture): Promise<void> {
  const text = JSON.stringify({ ...usualInsert(gce.simulator), name: 'elsewhere' })
  const body = text
    .replaceAll(zone, otherZone)
    .replace('regions/us-central1/subnetworks/spot', 'regions/us-east1/subnetworks/spot-us-east1')
  await gce.done('POST', `zones/${otherZone}/instances`, { body: JSON.parse(body) as unknown })
}

/** All pages of a list. */
async function pages(gce: GceFixture, path: string, query: Readonly<Record<string, string>>): Promise<Message[]> {
  const seen: Message[] = []
  let pageToken: string | undefined
  do {
    const page = await gce.done('GET', path, { query: { ...query, ...(pageToken !== undefined && { pageToken }) } })
    seen.push(page)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined && seen.length < 50)
  return seen
}

const namesOf = ({ items = [] }: Message) => (items as Message[]).map(({ name }) => name)

test('a zone that has none has no list either', async () => {
  await using gce = await startGce()
  expect(await gce.done('GET', instancesPath)).toEqual({
    kind: 'compute#instanceList',
    id: `projects/spot-simulated/${instancesPath}`,
    selfLink: `https://www.googleapis.com/compute/v1/projects/spot-simulated/${instancesPath}`,
  })
})

test('pages of a zone: each instance once, by its name', async () => {
  await using gce = await startGce()
  await insertTwelve(gce)
  await insertElsewhere(gce)
  const seen = await pages(gce, instancesPath, { maxResults: '5' })
  expect(seen.map((page) => namesOf(page).length)).toEqual([5, 5, 2])
  expect(seen.flatMap(namesOf)).toEqual(names)
})

test('a list of all zones: every zone is in every page, with what it has on it or the word that it has nothing', async () => {
  await using gce = await startGce()
  await insertTwelve(gce)
  await insertElsewhere(gce)
  const seen = await pages(gce, 'aggregated/instances', { maxResults: '5' })
  expect(seen.flatMap((page) => namesIn(page))).toEqual([...names, 'elsewhere'])
  for (const { items } of seen) {
    expect(Object.keys(items as object)).toEqual([
      ...['a', 'b', 'c', 'f'].map((letter) => `zones/us-central1-${letter}`),
      ...['b', 'c', 'd'].map((letter) => `zones/us-east1-${letter}`),
    ])
  }
  expect((seen[0]?.items as Record<string, unknown> | undefined)?.['zones/us-east1-b']).toEqual({
    warning: {
      code: 'NO_RESULTS_ON_PAGE',
      message: "There are no results for scope 'zones/us-east1-b' on this page.",
      data: [{ key: 'scope', value: 'zones/us-east1-b' }],
    },
  })
  expect(seen[0]).toMatchObject({
    kind: 'compute#instanceAggregatedList',
    id: 'projects/spot-simulated/aggregated/instances',
  })
})

test('what is made and deleted between two pages shifts nothing', async () => {
  await using gce = await startGce()
  await insertTwelve(gce)
  const first = await gce.done('GET', 'aggregated/instances', { query: { maxResults: '5' } })
  gce.simulator.control.vanish('worker-01')
  gce.simulator.control.vanish('worker-07')
  await gce.inserted({ name: 'a-new-one' })
  await gce.inserted({ name: 'worker-05x' })
  const query = { maxResults: '500', pageToken: first.nextPageToken ?? '' }
  expect(namesIn(await gce.done('GET', 'aggregated/instances', { query }))).toEqual([
    'worker-05',
    'worker-05x',
    'worker-06',
    ...names.slice(8),
  ])
})

test('a page holds 500 at most, asked or not', async () => {
  await using gce = await startGce()
  for (let at = 0; at < 501; at++) await gce.inserted({ name: `n${at}` })
  expect(namesIn(await gce.done('GET', 'aggregated/instances'))).toHaveLength(500)
  expect(namesIn(await gce.done('GET', 'aggregated/instances', { query: { maxResults: '0' } }))).toHaveLength(500)
  expect((await pages(gce, 'aggregated/instances', {})).flatMap((page) => namesIn(page))).toHaveLength(501)
})

test('the token of one list leads nowhere in another', async () => {
  await using gce = await startGce()
  await insertTwelve(gce)
  const { nextPageToken = '' } = await gce.done('GET', instancesPath, { query: { maxResults: '5' } })
  const query = { pageToken: nextPageToken }
  expect(await refusalOf(gce.call('GET', 'aggregated/instances', { query }))).toMatchObject({ code: 'invalid' })
})

test('the newest first, where that is asked for', async () => {
  await using gce = await startGce()
  for (const name of ['b', 'c', 'a']) {
    await gce.inserted({ name })
    await gce.clock.advance(1000)
  }
  const query = { orderBy: 'creationTimestamp desc', maxResults: '2' }
  expect((await pages(gce, instancesPath, query)).flatMap(namesOf)).toEqual(['a', 'c', 'b'])
})

test('a zone that does not answer: its part is missing, and the list says so, where the caller wants a part of it', async () => {
  await using gce = await startGce()
  await insertTwelve(gce)
  await insertElsewhere(gce)
  gce.simulator.control.unreachable(zone)
  const list = await gce.done('GET', 'aggregated/instances', { query: { returnPartialSuccess: 'true' } })
  expect(list['unreachables']).toEqual([`projects/spot-simulated/zones/${zone}`])
  expect(namesIn(list)).toEqual(['elsewhere'])
  expect((list.items as Record<string, unknown>)[`zones/${zone}`]).toMatchObject({ warning: { code: 'UNREACHABLE' } })
  for (const path of ['aggregated/instances', instancesPath, `${instancesPath}/worker-00`]) {
    expect(await refusalOf(gce.call('GET', path))).toMatchObject({ code: 'backendError', status: 503 })
  }
  expect(await refusalOf(gce.call('DELETE', `${instancesPath}/worker-00`))).toMatchObject({ status: 503 })
  expect(await refusalOf(gce.insert({ name: 'new' }))).toMatchObject({ status: 503 })
  await gce.control('reachable', {})
  expect(namesIn(await gce.done('GET', 'aggregated/instances'))).toHaveLength(13)
})

test('a zone may answer again by itself', async () => {
  await using gce = await startGce()
  await gce.control('unreachable', { zone, for: '30s' })
  const status = async () => (await gce.call('GET', instancesPath)).status
  expect(await status()).toBe(503)
  await gce.clock.advance(30_000)
  expect(await status()).toBe(200)
})

test('other scopes too, where they are asked for', async () => {
  await using gce = await startGce()
  const { items } = await gce.done('GET', 'aggregated/instances', { query: { includeAllScopes: 'true' } })
  expect(Object.keys(items as object)).toEqual(expect.arrayContaining(['global', 'regions/us-east1', `zones/${zone}`]))
})
