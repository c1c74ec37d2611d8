import { expect, test } from 'vitest'
import { startIbm, type IbmFixture } from './fixture.ts'

const capacity = [
  { code: 'cannot_start_capacity', message: "Can't start instance because resource capacity is unavailable." },
]

/** What becomes of an instance, by the time that it would run. */
async function outcome(ibm: IbmFixture, over: object = {}) {
  const created = await ibm.launch(over)
  expect(created['status']).toBe('pending')
  await ibm.clock.advance(2000)
  const { status, status_reasons } = await ibm.look(String(created['id']))
  return { status, status_reasons }
}

const runs = { status: 'running', status_reasons: [] }

test.each(['failed', 'stopped'] as const)('a lack of capacity is told after IBM has said yes: %s', async (status) => {
  await using ibm = await startIbm({ behaviour: { capacityFailure: status } })
  ibm.simulator.control.noCapacity({ instanceType: 'bxf-2x8' })
  expect(await outcome(ibm)).toEqual({ status, status_reasons: capacity })
  expect(ibm.simulator.requests.at(-2)).toMatchObject({ action: 'create_instance', answer: { status: 201 } })
  expect(ibm.simulator.control.instances()).toMatchObject([{ state: status, reason: 'cannot_start_capacity' }])
  expect(await outcome(ibm, { profile: { name: 'bxf-4x16' } })).toEqual(runs)
})

test('an instance for which there was no place has no address, and keeps its disk and interface until it is deleted', async () => {
  await using ibm = await startIbm()
  ibm.simulator.control.noCapacity()
  const id = await ibm.launchRunning({ name: 'none' })
  expect(await ibm.look(id)).toMatchObject({
    lifecycle_state: 'stable',
    startable: true,
    primary_network_interface: { primary_ip: { address: '0.0.0.0' } },
  })
  const { instances, interfaces, disks } = ibm.simulator.control.remains()
  expect([instances, interfaces.length, disks.length]).toEqual([['none'], 1, 1])
  await ibm.client.call('DELETE', `/instances/${id}`)
  await ibm.clock.advance(1000)
  expect(ibm.simulator.control.remains()).toEqual({ instances: [], interfaces: [], disks: [], addresses: [] })
})

test('what has been said of an instance is so, also when capacity comes back before it is found out', async () => {
  await using ibm = await startIbm()
  ibm.simulator.control.noCapacity()
  const id = await ibm.launchOne()
  ibm.simulator.control.capacityBack()
  await ibm.clock.advance(2000)
  expect((await ibm.look(id))['status']).toBe('failed')
})

test.each([
  'cannot_start',
  'cannot_start_compute',
  'cannot_start_ip_address',
  'cannot_start_network',
  'cannot_start_placement_group',
  'cannot_start_storage',
  'encryption_key_deleted',
])('%s: so many instances as was said, and no more', async (code) => {
  await using ibm = await startIbm()
  await ibm.control('fail-next-launch', { code, count: 2 })
  for (let count = 0; count < 2; count++) {
    expect(await outcome(ibm)).toMatchObject({ status: 'failed', status_reasons: [{ code }] })
  }
  expect(await outcome(ibm)).toEqual(runs)
})

test('a code that nobody knows yet', async () => {
  await using ibm = await startIbm()
  ibm.simulator.control.failNextLaunch('cannot_start_moonlight', 1, 'The moon is away.')
  expect(await outcome(ibm)).toEqual({
    status: 'failed',
    status_reasons: [{ code: 'cannot_start_moonlight', message: 'The moon is away.' }],
  })
})
