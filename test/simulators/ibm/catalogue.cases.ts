import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusalOf, startIbm, type IbmFixture, type Json } from './fixture.ts'

let ibm: IbmFixture
beforeAll(async () => {
  ibm = await startIbm()
})
afterAll(() => ibm[Symbol.asyncDispose]())

const get = async (path: string) => (await ibm.client.call('GET', path)).result
const missing = (things: readonly Json[], names: string) =>
  things.flatMap((thing) => names.split(/\s+/).filter((name) => thing[name] === undefined))

test('the facts are what the API answers with', async () => {
  const { facts } = ibm.simulator
  expect(await get(`/vpcs/${facts.vpc}`)).toMatchObject({ id: facts.vpc, name: 'spot', status: 'available' })
  const subnets = await ibm.client.list('subnets', { 'vpc.id': facts.vpc })
  expect(subnets.map(({ id, zone, ipv4_cidr_block }) => [id, (zone as Json)['name'], ipv4_cidr_block])).toEqual(
    facts.subnets.map(({ id, zone, cidr }) => [id, zone, cidr]),
  )
  expect(await get(`/security_groups/${facts.securityGroup}`)).toMatchObject({ vpc: { id: facts.vpc } })
  expect(await get(`/images/${facts.image}`)).toMatchObject({ status: 'available', visibility: 'private' })
  expect(await get(`/keys/${facts.key}`)).toMatchObject({ name: 'spot', type: 'ed25519' })
  expect(await ibm.client.list('regions')).toMatchObject([{ name: facts.region, status: 'available' }])
  const zones = await ibm.client.list('regions/us-south/zones')
  expect(zones.map(({ name, status }) => [name, status])).toEqual(facts.zones.map((name) => [name, 'available']))
})

test('the facts are all that somebody needs to create an instance', () => {
  const { facts, url } = ibm.simulator
  const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}-[0-9a-f-]{36}$`)) as string
  expect(facts).toEqual({
    cloud: 'ibm',
    url,
    apikey: expect.any(String) as string,
    accountId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    region: 'us-south',
    zones: ['us-south-1', 'us-south-2', 'us-south-3'],
    vpc: id('r006'),
    subnet: facts.subnets[0]?.id,
    subnets: [
      { id: id('0717'), zone: 'us-south-1', cidr: '10.240.0.0/18' },
      { id: id('0727'), zone: 'us-south-2', cidr: '10.240.64.0/18' },
      { id: id('0737'), zone: 'us-south-3', cidr: '10.240.128.0/18' },
    ],
    securityGroup: id('r006'),
    image: id('r006'),
    key: id('r006'),
    resourceGroup: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    clusterName: 'cluster',
  })
})

test('each thing has every property that typed clients need', async () => {
  const common = 'created_at crn href id name resource_group'
  const needed: [string, string][] = [
    [
      'vpcs',
      `${common} classic_access cse_source_ips default_network_acl default_routing_table default_security_group dns
      health_reasons health_state public_address_ranges resource_type status`,
    ],
    [
      'subnets',
      `${common} available_ipv4_address_count ip_version ipv4_cidr_block network_acl resource_type routing_table status
      total_ipv4_address_count vpc zone`,
    ],
    ['security_groups', `${common} rules targets vpc`],
    ['keys', `${common} fingerprint length public_key type`],
    ['placement_groups', `${common} lifecycle_state resource_type strategy`],
    [
      'images',
      `${common} allowed_use catalog_offering encryption file operating_system resource_type status status_reasons
      user_data_format visibility zones`,
    ],
    ['regions', 'endpoint href name status'],
    ['regions/us-south/zones', 'href name region status'],
  ]
  for (const [path, names] of needed) {
    const things = await ibm.client.list(path)
    expect([path, things.length > 0, missing(things, names)]).toEqual([path, true, []])
  }
})

test('one name may be that of a public and of a private image', async () => {
  const name = 'capibm-ubuntu-24-04-kube-v1-36-3'
  const seen = async (qs: object) => {
    const images = await ibm.client.list('images', { name, ...qs })
    return images.map(({ visibility, created_at }) => [visibility, created_at])
  }
  expect(await seen({})).toEqual([
    ['private', '2026-01-01T00:00:00Z'],
    ['public', '2025-12-01T00:00:00Z'],
  ])
  expect(await seen({ visibility: 'private' })).toHaveLength(1)
  expect(await seen({ status: ['available', 'deprecated'] })).toHaveLength(2)
  expect(await seen({ status: ['pending', 'unusable'] })).toEqual([])
})

test('an image may be on its way to some of the zones', async () => {
  const [arriving] = await ibm.client.list('images', { status: 'partially_available' })
  expect(arriving).toMatchObject({ zones: [{ name: 'us-south-1' }] })
})

test.each(['vpcs', 'subnets', 'images', 'keys', 'security_groups', 'reservations', 'volumes', 'floating_ips'])(
  '%s come in pages, and one that is not there is not found',
  async (path) => {
    const { result } = await ibm.client.call('GET', `/${path}`, { qs: { limit: 1 } })
    expect(result).toMatchObject({ limit: 1, total_count: expect.any(Number) as number, first: {} })
    expect(await refusalOf(get(`/${path}/none`))).toMatchObject({ status: 404, code: 'not_found' })
  },
)

test('zones of another region', async () => {
  expect(await refusalOf(get('/regions/eu-de/zones'))).toMatchObject({ status: 404, message: 'Region not found' })
})
