import { expect, test } from 'vitest'
import { startIbm, type Json } from './fixture.ts'

/** Status, lifecycle and address, with the reasons of both. */
function states(shown: Json) {
  const reasons = (name: string) => (shown[name] as { code: string }[]).map(({ code }) => code)
  const { primary_ip } = shown['primary_network_interface'] as { primary_ip: { address: string } }
  return [
    shown['status'],
    reasons('status_reasons'),
    shown['lifecycle_state'],
    reasons('lifecycle_reasons'),
    primary_ip.address,
  ]
}

test('an instance is pending and has no address, then starts and has one, then runs', async () => {
  await using ibm = await startIbm({ bootMs: 30_000 })
  const created = await ibm.launch()
  const id = String(created['id'])
  expect(states(created)).toEqual(['pending', [], 'pending', ['pending_registration'], '0.0.0.0'])
  await ibm.clock.advance(14_999)
  expect(states(await ibm.look(id))).toEqual(states(created))
  await ibm.clock.advance(1)
  expect(states(await ibm.look(id))).toEqual(['starting', [], 'stable', [], '10.240.0.4'])
  await ibm.clock.advance(14_999)
  expect((await ibm.look(id))['status']).toBe('starting')
  await ibm.clock.advance(1)
  expect(states(await ibm.look(id))).toEqual(['running', [], 'stable', [], '10.240.0.4'])
})

test('until it has a place both forms of its interface have the same address that is none', async () => {
  await using ibm = await startIbm()
  const { primary_network_attachment, network_interfaces } = await ibm.launch()
  expect(primary_network_attachment).toMatchObject({ primary_ip: { address: '0.0.0.0' } })
  expect(network_interfaces).toMatchObject([{ primary_ip: { address: '0.0.0.0' } }])
})

test.each([
  ['its user', undefined, []],
  ['its host', 'stopped_by_host_failure', ['stopped_by_host_failure']],
])('an instance that is stopped by %s keeps its address and can be started', async (_, why, codes) => {
  await using ibm = await startIbm()
  const id = await ibm.launchRunning()
  ibm.simulator.control.stop(id, why)
  expect((await ibm.look(id))['status']).toBe('stopping')
  await ibm.clock.advance(1000)
  expect(states(await ibm.look(id))).toEqual(['stopped', codes, 'stable', [], '10.240.0.4'])
  expect((await ibm.look(id))['startable']).toBe(true)
})

test('an instance may be said to have failed long after it ran', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne()
  await ibm.clock.advance(600_000)
  ibm.simulator.control.fail(id)
  expect(states(await ibm.look(id))).toEqual(['failed', ['cannot_start_compute'], 'stable', [], '10.240.0.4'])
})
