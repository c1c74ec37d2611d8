import { expect, test } from 'vitest'
import { refusalOf, startIbm, type IbmFixture, type Json } from './fixture.ts'

const terms = { instanceType: 'bxf-2x8', zone: 'us-south-1', count: 1 }
const standard = { availability: { class: 'standard' } }
const automatic = { ...standard, reservation_affinity: { policy: 'automatic' } }
const named = (id: string) => ({ ...standard, reservation_affinity: { policy: 'manual', pool: [{ id }] } })

const capacityOf = async (ibm: IbmFixture, id: string) => {
  const { available, used, total } = (await ibm.client.call('GET', `/reservations/${id}`)).result['capacity'] as Json
  return [available, used, total]
}

async function settled(ibm: IbmFixture, over: object): Promise<Json> {
  const id = await ibm.launchRunning(over)
  return ibm.look(id)
}

test('an automatic reservation is used unasked by what fits, and whatever IBM has otherwise', async () => {
  await using ibm = await startIbm()
  const { control } = ibm.simulator
  const id = control.reserve(terms)
  control.noCapacity()
  expect(await capacityOf(ibm, id)).toEqual([1, 0, 1])
  const first = await settled(ibm, automatic)
  expect(first).toMatchObject({ status: 'running', reservation: { id }, reservation_affinity: { policy: 'automatic' } })
  expect(await capacityOf(ibm, id)).toEqual([0, 1, 1])
  expect(await settled(ibm, automatic)).toMatchObject({ status: 'failed' })
  expect(await settled(ibm, { ...automatic, profile: { name: 'bxf-4x16' } })).not.toHaveProperty('reservation')
  await ibm.client.call('DELETE', `/instances/${String(first['id'])}`)
  await ibm.clock.advance(1000)
  expect(await capacityOf(ibm, id)).toEqual([1, 0, 1])
})

test('a stopped instance gives back what it took unasked, and keeps what it named', async () => {
  await using ibm = await startIbm()
  const [open, targeted] = [
    ibm.simulator.control.reserve(terms),
    ibm.simulator.control.reserve({ ...terms, match: 'targeted' }),
  ]
  const stop = async ({ id }: Json) => {
    await ibm.client.call('POST', `/instances/${String(id)}/actions`, { body: { type: 'stop' } })
    await ibm.clock.advance(1000)
  }
  await stop(await settled(ibm, automatic))
  await stop(await settled(ibm, named(targeted)))
  expect([await capacityOf(ibm, open), await capacityOf(ibm, targeted)]).toEqual([
    [1, 0, 1],
    [0, 1, 1],
  ])
})

test('a restricted reservation is for those who name it, while it has room', async () => {
  await using ibm = await startIbm()
  const id = ibm.simulator.control.reserve({ ...terms, match: 'targeted' })
  expect(await settled(ibm, automatic)).not.toHaveProperty('reservation')
  expect(await settled(ibm, named(id))).toMatchObject({
    reservation: { id },
    reservation_affinity: { policy: 'manual', pool: [{ id }] },
  })
  expect(await refusalOf(ibm.launch(named(id)))).toMatchObject({
    status: 400,
    code: 'reservation_capacity_unavailable',
  })
})

test.each<[string, object]>([
  ['for another profile', { instanceType: 'bxf-4x16' }],
  ['for another zone', { zone: 'us-south-2' }],
])('a reservation %s cannot be named', async (_, over) => {
  await using ibm = await startIbm()
  const id = ibm.simulator.control.reserve({ ...terms, match: 'targeted', ...over })
  expect(await refusalOf(ibm.launch(named(id)))).toMatchObject({ code: 'bad_field' })
})

test('a pool that is not empty means the policy manual', async () => {
  await using ibm = await startIbm()
  const id = ibm.simulator.control.reserve({ ...terms, match: 'targeted' })
  const over = { ...standard, reservation_affinity: { pool: [{ id }] } }
  expect(await ibm.launch(over)).toMatchObject({ reservation_affinity: { policy: 'manual' }, reservation: { id } })
})

test('an end of the reservation is a matter of health, and of the next start', async () => {
  await using ibm = await startIbm()
  const { clock } = ibm
  const { control } = ibm.simulator
  const id = control.reserve({ ...terms, match: 'targeted', endsAt: clock.now() + 60_000 })
  const other = control.reserve({ ...terms, match: 'targeted' })
  const [first, second] = [await settled(ibm, named(id)), await settled(ibm, named(other))]
  expect(first).toMatchObject({ health_state: 'ok', health_reasons: [] })
  await clock.advance(60_000)
  await ibm.control('cancel-reservation', { id: other })
  const look = (instance: Json) => ibm.look(String(instance['id']))
  expect(await look(first)).toMatchObject({
    status: 'running',
    health_state: 'degraded',
    health_reasons: [{ code: 'reservation_expired' }],
  })
  expect(await look(second)).toMatchObject({ health_reasons: [{ code: 'reservation_deleted' }] })
  control.stop(String(first['id']))
  await clock.advance(1000)
  await ibm.client.call('POST', `/instances/${String(first['id'])}/actions`, { body: { type: 'start' } })
  await clock.advance(2000)
  expect(await look(first)).toMatchObject({ status_reasons: [{ code: 'cannot_start_reservation_expired' }] })
  expect(await refusalOf(ibm.launch(named(id)))).toMatchObject({ code: 'bad_field' })
})

test('the list finds by name, policy and zone', async () => {
  await using ibm = await startIbm()
  const { control } = ibm.simulator
  control.reserve({ ...terms, name: 'a' })
  await ibm.control('reserve', { ...terms, zone: 'us-south-2', match: 'targeted', name: 'b' })
  const names = async (qs: object) => (await ibm.client.list('reservations', qs)).map(({ name }) => name)
  expect([
    await names({}),
    await names({ name: 'a' }),
    await names({ affinity_policy: 'restricted' }),
    await names({ 'zone.name': 'us-south-1' }),
  ]).toEqual([['b', 'a'], ['a'], ['b'], ['a']])
  expect(control.reservations()).toMatchObject([{ name: 'a', status: 'active', available: 1 }, { name: 'b' }])
})
