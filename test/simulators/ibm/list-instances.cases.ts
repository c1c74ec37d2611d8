import { getQueryParam } from 'ibm-cloud-sdk-core'
import { expect, test } from 'vitest'
import { refusalOf, startIbm, type IbmFixture, type Json } from './fixture.ts'

interface Page {
  readonly first: { readonly href: string }
  readonly next?: { readonly href: string }
  readonly limit: number
  readonly total_count: number
  readonly instances: readonly { readonly name: string; readonly id: string }[]
}

async function page(ibm: IbmFixture, qs: object = {}): Promise<Page> {
  return (await ibm.client.call('GET', '/instances', { qs })).result as unknown as Page
}

/** As IBM's own clients go from page to page. */
async function pages(ibm: IbmFixture, qs: object, between: (page: Page) => void = () => {}): Promise<Page[]> {
  const seen: Page[] = []
  for (let start: string | null | undefined; start !== null;) {
    const one = await page(ibm, { ...qs, ...(start === undefined ? {} : { start }) })
    seen.push(one)
    between(one)
    start = one.next ? getQueryParam(one.next.href, 'start') : null
  }
  return seen
}

async function launchMany(ibm: IbmFixture, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, at) => `many-${at}`)
  for (const name of names) await ibm.launch({ name })
  return names
}

const namesOf = (all: readonly Page[]) => all.flatMap(({ instances }) => instances.map(({ name }) => name))

test('a page holds fifty unless one says otherwise, and counts all that there are', async () => {
  await using ibm = await startIbm()
  const names = await launchMany(ibm, 53)
  const first = await page(ibm)
  expect([first.limit, first.total_count, first.instances.length]).toEqual([50, 53, 50])
  expect(first.first.href).toBe(`${ibm.simulator.url}/v1/instances?limit=50`)
  expect(first.next?.href).toMatch(/\/v1\/instances\?limit=50&start=[\w-]+$/)
  const all = await pages(ibm, { limit: 20 })
  expect(all.map(({ instances }) => instances.length)).toEqual([20, 20, 13])
  expect(namesOf(all)).toEqual(names)
  expect(await page(ibm, { limit: 100 })).not.toHaveProperty('next')
})

test('with nothing to show the list is empty, and complete', async () => {
  await using ibm = await startIbm()
  expect(await page(ibm)).toEqual({
    first: { href: `${ibm.simulator.url}/v1/instances?limit=50` },
    limit: 50,
    total_count: 0,
    instances: [],
  })
})

test('the way to the next page may lack the name of the server', async () => {
  await using ibm = await startIbm({ behaviour: { nextLink: 'relative' } })
  const names = await launchMany(ibm, 3)
  expect((await page(ibm, { limit: 2 })).next?.href).toMatch(/^\/v1\/instances\?limit=2&start=/)
  expect(namesOf(await pages(ibm, { limit: 2 }))).toEqual(names)
})

test.each<[string, object, string]>([
  ['a limit of nothing', { limit: 0 }, 'validation_min_value'],
  ['a limit above 100', { limit: 101 }, 'validation_max_value'],
  ['a limit that is no number', { limit: 'all' }, 'validation_invalid_field_type'],
  ['a token that is none', { start: 'next' }, 'invalid_id_format'],
  ['an empty token', { start: '' }, 'invalid_id_format'],
  ['a filter that IBM has not', { 'zone.name': 'us-south-1' }, 'invalid_request_field'],
])('%s is refused', async (_, qs, code) => {
  await using ibm = await startIbm()
  expect(await refusalOf(page(ibm, qs))).toMatchObject({ status: 400, code, target: { type: 'parameter' } })
})

test('a token belongs to the list that gave it', async () => {
  await using ibm = await startIbm()
  const { result } = await ibm.client.call('GET', '/images', { qs: { limit: 2 } })
  const start = getQueryParam((result['next'] as { href: string }).href, 'start')
  expect(await refusalOf(page(ibm, { start }))).toMatchObject({ code: 'invalid_id_format' })
})

test('filters find what is exactly so, and the way to the next page keeps them', async () => {
  await using ibm = await startIbm()
  const { facts, control } = ibm.simulator
  const reservation = control.reserve({ instanceType: 'bxf-4x16', zone: 'us-south-1', count: 1 })
  await ibm.launch({ name: 'spot-1' })
  const standard = { availability: { class: 'standard' }, profile: { name: 'bxf-4x16' } }
  await ibm.launch({ name: 'reserved', ...standard, reservation_affinity: { policy: 'automatic' } })
  await ibm.launch({
    name: 'apart',
    ...standard,
    placement_target: { id: (await ibm.client.list('placement_groups'))[0]?.['id'] },
    resource_group: undefined,
  })
  const crn = String((await ibm.client.list('vpcs'))[0]?.['crn'])
  const cases: [object, string[]][] = [
    [{ name: 'spot-1' }, ['spot-1']],
    [{ name: 'spot' }, []],
    [{ 'availability.class': 'spot' }, ['spot-1']],
    [{ 'availability.class': 'standard' }, ['reserved', 'apart']],
    [{ 'vpc.id': facts.vpc }, ['spot-1', 'reserved', 'apart']],
    [{ 'vpc.id': 'r006-0' }, []],
    [{ 'vpc.name': 'spot' }, ['spot-1', 'reserved', 'apart']],
    [{ 'vpc.crn': crn }, ['spot-1', 'reserved', 'apart']],
    [{ 'resource_group.id': facts.resourceGroup }, ['spot-1', 'reserved']],
    [{ 'reservation.id': reservation }, ['reserved']],
    [{ 'reservation_affinity.policy': 'disabled' }, ['spot-1', 'apart']],
    [{ 'placement_group.name': 'spot-apart' }, ['apart']],
    [{ 'dedicated_host.name': 'spot-host' }, []],
    [{ 'availability.class': 'standard', name: 'apart' }, ['apart']],
  ]
  const results: [object, string[]][] = []
  for (const [qs] of cases) results.push([qs, namesOf([await page(ibm, qs)])])
  expect(results).toEqual(cases)
  const { next } = await page(ibm, { 'availability.class': 'standard', limit: 1 })
  expect(getQueryParam(next?.href ?? '', 'availability.class')).toBe('standard')
})

test('what is asked for alone is there or is not', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne()
  expect((await ibm.look(id))['id']).toBe(id)
  const look: Promise<Json> = ibm.look('0717_none')
  expect(await refusalOf(look)).toMatchObject({ status: 404, code: 'not_found', message: 'Instance not found' })
})
