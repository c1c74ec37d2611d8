import { expect, test } from 'vitest'
import { refusalOf, startIbm, type IbmFixture } from './fixture.ts'

const act = async (ibm: IbmFixture, id: string, body: object) =>
  ibm.client.call('POST', `/instances/${id}/actions`, { body })

const statusOf = async (ibm: IbmFixture, id: string) => (await ibm.look(id))['status']

test('an action is queued, and is seen in the status of the instance', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchRunning()
  const { status, result } = await act(ibm, id, { type: 'stop' })
  expect([status, result]).toEqual([
    201,
    {
      id: expect.any(String) as string,
      href: expect.stringContaining(`/v1/instances/${id}/actions/`) as string,
      type: 'stop',
      status: 'pending',
      created_at: expect.any(String) as string,
    },
  ])
  expect(await statusOf(ibm, id)).toBe('stopping')
  await ibm.clock.advance(1000)
  expect(await ibm.look(id)).toMatchObject({ status: 'stopped', status_reasons: [] })
  await act(ibm, id, { type: 'start' })
  expect(await statusOf(ibm, id)).toBe('starting')
  await ibm.clock.advance(2000)
  expect(await statusOf(ibm, id)).toBe('running')
  await act(ibm, id, { type: 'reboot' })
  expect(await statusOf(ibm, id)).toBe('restarting')
  await ibm.clock.advance(2000)
  expect(await statusOf(ibm, id)).toBe('running')
})

test('a stop by force waits for nothing', async () => {
  await using ibm = await startIbm({ stopMs: 60_000 })
  const id = await ibm.launchRunning()
  expect((await act(ibm, id, { type: 'stop', force: true })).result).toMatchObject({ force: true })
  await ibm.clock.advance(0)
  expect(await statusOf(ibm, id)).toBe('stopped')
})

test.each([
  ['start', 'running'],
  ['reboot', 'stopped'],
  ['stop', 'stopped'],
])('the action %s is refused of an instance that is %s', async (type, status) => {
  await using ibm = await startIbm()
  const id = await ibm.launchRunning()
  if (status === 'stopped') {
    ibm.simulator.control.stop(id)
    await ibm.clock.advance(1000)
  }
  expect(await refusalOf(act(ibm, id, { type }))).toMatchObject({ status: 409, code: 'invalid_state' })
  expect(await statusOf(ibm, id)).toBe(status)
})

test.each([
  ['that there is not', { type: 'hibernate' }, 'bad_field'],
  ['without a type', {}, 'validation_required_field'],
])('an action %s is refused', async (_, body, code) => {
  await using ibm = await startIbm()
  const id = await ibm.launchRunning()
  expect(await refusalOf(act(ibm, id, body))).toMatchObject({ status: 400, code, target: { name: 'type' } })
})

test('a preempted instance that is started forgets why it stopped, or learns that there is no capacity', async () => {
  await using ibm = await startIbm({ behaviour: { capacityFailure: 'stopped' } })
  const { control } = ibm.simulator
  const id = await ibm.launchRunning()
  control.interrupt(id)
  await ibm.clock.advance(1000)
  control.noCapacity()
  await act(ibm, id, { type: 'start' })
  expect(await ibm.look(id)).toMatchObject({ status: 'starting', status_reasons: [] })
  await ibm.clock.advance(2000)
  expect(await ibm.look(id)).toMatchObject({ status: 'stopped', status_reasons: [{ code: 'cannot_start_capacity' }] })
  control.capacityBack()
  await act(ibm, id, { type: 'start' })
  await ibm.clock.advance(2000)
  expect(await ibm.look(id)).toMatchObject({ status: 'running', status_reasons: [], lifecycle_reasons: [] })
})

test('only what is off can become standard, and then starts as such', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchRunning()
  const becomeStandard = () =>
    ibm.client.call('PATCH', `/instances/${id}`, { body: { availability: { class: 'standard' } } })
  expect(await refusalOf(becomeStandard())).toMatchObject({ status: 409, code: 'invalid_state' })
  ibm.simulator.control.interrupt(id)
  expect((await becomeStandard()).result).toMatchObject({ availability: { class: 'standard' } })
  await ibm.clock.advance(1000)
  ibm.simulator.control.noCapacity({ market: 'spot' })
  await act(ibm, id, { type: 'start' })
  await ibm.clock.advance(2000)
  expect(await ibm.look(id)).toMatchObject({ status: 'running', availability: { class: 'standard' } })
})

test('a change of an instance is all of it or nothing', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchRunning({ name: 'one' })
  await ibm.launch({ name: 'two' })
  const change = (body: object) => ibm.client.call('PATCH', `/instances/${id}`, { body })
  const { result } = await change({ name: 'other', metadata_service: { enabled: true } })
  expect(result).toMatchObject({ name: 'other', metadata_service: { enabled: true, protocol: 'http' } })
  const refused: [object, string][] = [
    [{ name: 'two', metadata_service: { enabled: false } }, 'validation_unique_failed'],
    [{ name: 'Two' }, 'validation_invalid_name'],
    [{ user_tags: ['a'] }, 'invalid_request_field'],
    [{ reservation_affinity: { policy: 'automatic' } }, 'bad_field'],
    [{ profile: { name: 'bxf-4x16' } }, 'not_simulated'],
  ]
  for (const [body, code] of refused) expect(await refusalOf(change(body))).toMatchObject({ code })
  expect(await ibm.look(id)).toMatchObject({ name: 'other', metadata_service: { enabled: true } })
  // The name that it had is free.
  await ibm.launch({ name: 'one' })
})
