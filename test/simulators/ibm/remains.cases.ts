import { expect, test } from 'vitest'
import { refusalOf, startIbm, type IbmFixture, type Json } from './fixture.ts'

const nothing = { instances: [], interfaces: [], disks: [], addresses: [] }
const missing = (thing: Json | undefined, names: string) =>
  names.split(/\s+/).filter((name) => thing?.[name] === undefined)

const interfaceOf = (instance: Json) =>
  ((instance['primary_network_attachment'] as Json)['virtual_network_interface'] as Json)['id']

const make = (ibm: IbmFixture, path: string, body: object) => ibm.client.call('POST', `/${path}`, { body })
const remove = async (ibm: IbmFixture, path: string, id: unknown) =>
  (await ibm.client.call('DELETE', `/${path}/${String(id)}`)).status

test('a volume says to what it is attached, and cannot be deleted while it is', async () => {
  await using ibm = await startIbm()
  const { id } = await ibm.launch({
    boot_volume_attachment: {
      name: 'root',
      delete_volume_on_instance_delete: false,
      volume: { name: 'boot', capacity: 120, profile: { name: '10iops-tier' }, user_tags: ['owner:a'] },
    },
  })
  const [volume] = await ibm.client.list('volumes', { tag: 'owner:a' })
  expect(volume).toMatchObject({
    name: 'boot',
    capacity: 120,
    iops: 3000,
    profile: { name: '10iops-tier' },
    user_tags: ['owner:a'],
    attachment_state: 'attached',
    volume_attachments: [
      { name: 'root', type: 'boot', delete_volume_on_instance_delete: false, instance: { id }, device: {} },
    ],
  })
  const needed = `active adjustable_capacity_states adjustable_iops_states attachment_state bandwidth busy capacity
    created_at crn encryption health_reasons health_state href id iops name profile resource_group resource_type
    software_attachments status status_reasons storage_generation user_tags volume_attachments zone`
  expect(missing(volume, needed)).toEqual([])
  expect(await refusalOf(remove(ibm, 'volumes', volume?.['id']))).toMatchObject({
    status: 409,
    code: 'volume_still_attached',
  })
  await remove(ibm, 'instances', id)
  await ibm.clock.advance(1000)
  expect(ibm.simulator.control.remains()).toEqual({ ...nothing, disks: ['boot'] })
  expect(await remove(ibm, 'volumes', volume?.['id'])).toBe(204)
  expect(ibm.simulator.control.remains()).toEqual(nothing)
})

test('a virtual network interface says what it is attached to, and cannot be deleted while it is', async () => {
  await using ibm = await startIbm()
  const { facts } = ibm.simulator
  const proto = { name: 'kept', subnet: { id: facts.subnet }, auto_delete: false }
  const instance = await ibm.launch({ primary_network_attachment: { virtual_network_interface: proto } })
  const { result } = await ibm.client.call('GET', `/virtual_network_interfaces/${String(interfaceOf(instance))}`)
  expect(result).toMatchObject({
    name: 'kept',
    auto_delete: false,
    primary_ip: { address: '10.240.0.4' },
    target: {
      id: (instance['primary_network_attachment'] as Json)['id'],
      resource_type: 'instance_network_attachment',
    },
  })
  const needed = `allow_ip_spoofing auto_delete created_at crn enable_infrastructure_nat href id ips lifecycle_state name
    primary_ip protocol_state_filtering_mode resource_group resource_type security_groups subnet vpc zone`
  expect(missing(result, needed)).toEqual([])
  const { id } = result
  expect(await refusalOf(remove(ibm, 'virtual_network_interfaces', id))).toMatchObject({
    status: 409,
    code: 'virtual_network_interface_in_use',
  })
  await remove(ibm, 'instances', instance['id'])
  await ibm.clock.advance(1000)
  expect(ibm.simulator.control.remains()).toEqual({ ...nothing, interfaces: ['kept'] })
  expect(await ibm.client.list('virtual_network_interfaces')).not.toMatchObject([{ target: {} }])
  expect(await remove(ibm, 'virtual_network_interfaces', id)).toBe(202)
  expect(ibm.simulator.control.remains()).toEqual(nothing)
})

test('virtual network interfaces are listed with the newest first', async () => {
  await using ibm = await startIbm()
  const subnet = { id: ibm.simulator.facts.subnet }
  for (const name of ['first', 'second', 'third']) await make(ibm, 'virtual_network_interfaces', { name, subnet })
  const shown = await ibm.client.list('virtual_network_interfaces')
  expect(shown.map(({ name }) => name)).toEqual(['third', 'second', 'first'])
})

test('a floating IP outlives what it led to', async () => {
  await using ibm = await startIbm()
  const instance = await ibm.launch()
  const target = { id: interfaceOf(instance) }
  const { result } = await make(ibm, 'floating_ips', { name: 'way-in', target })
  expect(result).toMatchObject({
    name: 'way-in',
    address: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/) as string,
    target: { ...target, resource_type: 'virtual_network_interface' },
    zone: { name: 'us-south-1' },
  })
  expect(missing(result, 'address created_at crn href id name resource_group status zone')).toEqual([])
  expect(await ibm.client.list('floating_ips', { 'target.id': target.id })).toHaveLength(1)
  expect(await refusalOf(make(ibm, 'floating_ips', { target }))).toMatchObject({ status: 409, code: 'target_in_use' })
  await remove(ibm, 'instances', instance['id'])
  await ibm.clock.advance(1000)
  expect(ibm.simulator.control.remains()).toEqual({ ...nothing, addresses: ['way-in'] })
  expect(await ibm.client.list('floating_ips')).not.toMatchObject([{ target: {} }])
  expect(await remove(ibm, 'floating_ips', result['id'])).toBe(204)
  expect((await ibm.control('remains')).json).toEqual(nothing)
})

test('a floating IP leads to something or stands in a zone, never both and never neither', async () => {
  await using ibm = await startIbm()
  const zone = { name: 'us-south-3' }
  expect((await make(ibm, 'floating_ips', { zone })).result).toMatchObject({ zone })
  const target = { id: interfaceOf(await ibm.launch()) }
  for (const body of [{ zone, target }, {}, { target: { id: 'none' } }]) {
    expect(await refusalOf(make(ibm, 'floating_ips', body))).toMatchObject({ status: 400, code: 'bad_field' })
  }
})
