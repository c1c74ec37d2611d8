import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf, startIbm, usualLaunch, type IbmFixture } from './fixture.ts'
import { names } from './traps/names.ts'
import { network } from './traps/network.ts'
import { spot } from './traps/spot.ts'
import { apart, attached, boot, image, zone1Subnet, zone2Subnet } from './traps/trap.ts'
import { volumes } from './traps/volumes.ts'
import { words } from './traps/words.ts'
import { standardWorld } from './world.ts'

const traps = [...names, ...words, ...network, ...spot, ...volumes]

describe('a request for an instance is refused for', () => {
  let ibm: IbmFixture
  beforeAll(async () => {
    ibm = await startIbm()
    await ibm.launch({
      name: 'taken',
      ...boot({ name: 'taken-boot' }),
      ...attached({ name: 'taken-vni', primary_ip: { address: '10.240.0.77' } }),
    })
  })
  afterAll(() => ibm[Symbol.asyncDispose]())

  test.each(traps)('$trap', async ({ said, code, status = 400, target }) => {
    const before = ibm.simulator.control.remains()
    const refusal = await refusalOf(ibm.launch(said))
    expect(refusal).toMatchObject({ code, status })
    expect((refusal.target as { name: string } | undefined)?.name).toBe(target)
    expect(ibm.simulator.control.remains()).toEqual(before)
  })
})

test('a name that is taken is refused as in the real cloud, with a 400', async () => {
  await using ibm = await startIbm()
  await ibm.launch({ name: 'worker' })
  expect(await refusalOf(ibm.launch({ name: 'worker' }))).toEqual({
    status: 400,
    code: 'validation_unique_failed',
    message: 'Provided Name (worker) is not unique',
    target: { name: 'name', type: 'field', value: 'worker' },
  })
})

test('the refusal of a name may be quoted by another one', async () => {
  await using ibm = await startIbm({ behaviour: { nameTaken: 'nested' } })
  await ibm.launch({ name: 'worker' })
  const { status, code, message } = await refusalOf(ibm.launch({ name: 'worker' }))
  expect([status, code]).toEqual([400, 'bad_field'])
  expect(message).toContain('{"errors":[{"code":"validation_unique_failed"')
})

test('of two requests with one name that come together one is done', async () => {
  await using ibm = await startIbm()
  const results = await Promise.allSettled([1, 2, 3].map(() => ibm.launch({ name: 'race' })))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(ibm.simulator.control.instances()).toHaveLength(1)
})

test('a spot instance that says nothing of reservations: taken for what it must be, or, by a switch, refused', async () => {
  await using ibm = await startIbm()
  const silent = { reservation_affinity: undefined }
  expect(await ibm.launch(silent)).toMatchObject({ reservation_affinity: { policy: 'disabled' } })
  await ibm.control('behave', { switch: 'spotWithoutAffinity', to: 'refused' })
  expect(await refusalOf(ibm.launch(silent))).toMatchObject({
    code: 'bad_field',
    target: { name: 'reservation_affinity.policy', value: 'automatic' },
  })
  await ibm.launch()
})

test('resources are named by id, CRN or address, profiles and zones by name or address', async () => {
  await using ibm = await startIbm()
  const { url, facts } = ibm.simulator
  const crn = (path: string, id: string) => ibm.client.call('GET', `/${path}/${id}`).then(({ result }) => result['crn'])
  const shown = await ibm.launch({
    zone: { href: `${url}/v1/regions/us-south/zones/us-south-1` },
    profile: { href: 'https://us-south.iaas.cloud.ibm.com/v1/instance/profiles/cxf-4x8' },
    image: { crn: await crn('images', facts.image) },
    keys: [{ fingerprint: 'SHA256:of-a-key-that-nobody-has' }],
    ...attached({
      subnet: { href: `${url}/v1/subnets/${facts.subnet}` },
      security_groups: [{ crn: await crn('security_groups', facts.securityGroup) }],
    }),
  })
  expect(shown).toMatchObject({ profile: { name: 'cxf-4x8' }, image: { id: facts.image } })
})

test('an image that has come to some zones can be used there', async () => {
  await using ibm = await startIbm()
  await ibm.launch(image('46'))
  const inZone2 = { zone: { name: 'us-south-2' }, ...attached({ subnet: { id: zone2Subnet } }) }
  expect(await refusalOf(ibm.launch({ ...image('46'), ...inZone2 }))).toMatchObject({ target: { name: 'image' } })
  await ibm.launch(inZone2)
})

test('a spot instance may be in a placement group', async () => {
  await using ibm = await startIbm()
  expect(await ibm.launch({ placement_target: { id: apart } })).toMatchObject({
    placement_target: { id: apart, name: 'spot-apart', resource_type: 'placement_group' },
  })
})

test('an interface that was made before can be attached, once', async () => {
  await using ibm = await startIbm()
  const proto = { name: 'before', subnet: { id: zone1Subnet } }
  const { result } = await ibm.client.call('POST', '/virtual_network_interfaces', { body: proto })
  const over = { primary_network_attachment: { name: 'eth0', virtual_network_interface: { id: result['id'] } } }
  expect(await ibm.launch(over)).toMatchObject({
    primary_network_attachment: { name: 'eth0', virtual_network_interface: { id: result['id'], name: 'before' } },
  })
  expect(await refusalOf(ibm.launch(over))).toMatchObject({ status: 409, code: 'virtual_network_interface_in_use' })
})

test('user data of exactly 64 KB are taken', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne({ user_data: 'x'.repeat(65_536) })
  expect(ibm.simulator.control.instances()).toMatchObject([{ id }])
})

test('a subnet without addresses', async () => {
  const world = standardWorld()
  const subnets = world.subnets.map((subnet) => ({ ...subnet, cidr: subnet.cidr.replace(/\/\d+$/, '/29') }))
  await using ibm = await startIbm({ world: { ...world, subnets } })
  for (let count = 0; count < 3; count++) await ibm.launch()
  expect(await refusalOf(ibm.launch())).toMatchObject({ status: 400, code: 'subnet_out_of_ip_addresses' })
})

test('the request that a provider sends is taken as it is', async () => {
  await using ibm = await startIbm()
  const body = { ...usualLaunch(ibm.simulator), name: 'whole' }
  expect((await ibm.client.call('POST', '/instances', { body })).status).toBe(201)
})
