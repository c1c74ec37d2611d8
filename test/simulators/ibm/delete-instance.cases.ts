import { expect, test } from 'vitest'
import { refusalOf, startIbm, type IbmFixture } from './fixture.ts'

const remove = (ibm: IbmFixture, id: string, headers = {}) => ibm.client.call('DELETE', `/instances/${id}`, { headers })

const conflict = { status: 409, code: 'instance_delete_conflict' }
const nothing = { instances: [], interfaces: [], disks: [], addresses: [] }

test.each(['204', '202'] as const)(
  'a deletion is accepted with %s, shown for a while, and then done',
  async (status) => {
    await using ibm = await startIbm({ behaviour: { deletion: status } })
    const id = await ibm.launchRunning()
    const answer = await remove(ibm, id)
    expect([answer.status, answer.result]).toEqual([Number(status), ''])
    expect(await ibm.look(id)).toMatchObject({ status: 'deleting', lifecycle_state: 'deleting' })
    expect(await ibm.client.list('instances')).toMatchObject([{ status: 'deleting' }])
    await ibm.clock.advance(1000)
    await expect(ibm.look(id)).rejects.toMatchObject({ status: 404 })
    expect(await refusalOf(remove(ibm, id))).toMatchObject({ status: 404, code: 'not_found' })
    expect(ibm.simulator.control.remains()).toEqual(nothing)
  },
)

test.each([
  ['accepted', { status: 204 }],
  ['refused', conflict],
] as const)('a second deletion while the first is under way: %s', async (how, expected) => {
  await using ibm = await startIbm({ behaviour: { secondDeletion: how } })
  const id = await ibm.launchRunning()
  await remove(ibm, id)
  await ibm.clock.advance(999)
  expect(await remove(ibm, id).catch((error: unknown) => refusalOf(Promise.reject(error as Error)))).toMatchObject(
    expected,
  )
  await ibm.clock.advance(1)
  await expect(ibm.look(id)).rejects.toMatchObject({ status: 404 })
})

test('an instance on its way from one status to another may not be deleted, by a switch', async () => {
  await using ibm = await startIbm()
  const { control } = ibm.simulator
  await remove(ibm, await ibm.launchOne())
  control.behave({ deletionInTransition: 'refused' })
  const id = await ibm.launchOne()
  expect(await refusalOf(remove(ibm, id))).toMatchObject(conflict)
  await ibm.clock.advance(2000)
  control.stop(id)
  expect(await refusalOf(remove(ibm, id))).toMatchObject(conflict)
  await ibm.clock.advance(1000)
  await remove(ibm, id)
})

test('who says which version is meant deletes that one only', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne()
  const { headers } = await ibm.client.call('GET', `/instances/${id}`)
  const { etag = '' } = headers
  expect(etag).toMatch(/^W\/"/)
  await ibm.clock.advance(2000)
  expect(await refusalOf(remove(ibm, id, { 'if-match': etag }))).toMatchObject({ status: 412 })
  expect((await ibm.look(id))['status']).toBe('running')
  const now = (await ibm.client.call('GET', `/instances/${id}`)).headers['etag'] ?? ''
  expect((await remove(ibm, id, { 'if-match': now })).status).toBe(204)
})

test('the name is taken until nothing is left', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchRunning({ name: 'same' })
  await remove(ibm, id)
  expect(await refusalOf(ibm.launch({ name: 'same' }))).toMatchObject({ code: 'validation_unique_failed' })
  await ibm.clock.advance(1000)
  await ibm.launch({ name: 'same' })
})

test('what is not to end with its instance stays behind', async () => {
  await using ibm = await startIbm()
  const { subnet } = ibm.simulator.facts
  const data = (name: string, delete_volume_on_instance_delete?: boolean) => ({
    ...(delete_volume_on_instance_delete === undefined ? {} : { delete_volume_on_instance_delete }),
    volume: { name, capacity: 20, profile: { name: 'general-purpose' } },
  })
  const boot = { name: 'boot', profile: { name: 'general-purpose' } }
  const id = await ibm.launchRunning({
    boot_volume_attachment: { delete_volume_on_instance_delete: false, volume: boot },
    volume_attachments: [data('kept'), data('ended', true)],
    primary_network_attachment: { virtual_network_interface: { name: 'kept', subnet: { id: subnet } } },
    network_attachments: [{ virtual_network_interface: { subnet: { id: subnet }, auto_delete: true } }],
  })
  await remove(ibm, id)
  await ibm.clock.advance(1000)
  expect(ibm.simulator.control.remains()).toEqual({ ...nothing, interfaces: ['kept'], disks: ['boot', 'kept'] })
  expect(await ibm.client.list('volumes')).toMatchObject([
    { name: 'boot', attachment_state: 'unattached', volume_attachments: [] },
    { name: 'kept', attachment_state: 'unattached', volume_attachments: [] },
  ])
})

test('an address is free again when its instance is gone, but does not come back at once', async () => {
  await using ibm = await startIbm()
  const free = async () => {
    const { result } = await ibm.client.call('GET', `/subnets/${ibm.simulator.facts.subnet}`)
    return result['available_ipv4_address_count']
  }
  const before = await free()
  const id = await ibm.launchRunning()
  const taken = ibm.simulator.control.instances()[0]?.privateIp
  expect(await free()).toBe(Number(before) - 1)
  await remove(ibm, id)
  await ibm.clock.advance(1000)
  expect(await free()).toBe(before)
  await ibm.launch()
  expect(ibm.simulator.control.instances()[0]?.privateIp).not.toBe(taken)
})
