import { expect, test } from 'vitest'
import { failureOf, onDemand, refusalOf, startGce, zone, type GceFixture, type Message } from './fixture.ts'
import { reserved, typed } from './traps/trap.ts'

const terms = { instanceType: 'e2-standard-2', zone, count: 1, name: 'mine' }
const byName = (...values: string[]) =>
  reserved('SPECIFIC_RESERVATION', { key: 'compute.googleapis.com/reservation-name', values })

async function inUse(gce: GceFixture): Promise<unknown> {
  const { items = [] } = await gce.done('GET', `zones/${zone}/reservations`)
  return (items as Message[]).map((one) => (one['specificReservation'] as { inUseCount: string }).inUseCount)
}

test('an open reservation is used unasked, by what is not spot, and is not short of capacity', async () => {
  await using gce = await startGce()
  gce.simulator.control.reserve(terms)
  gce.simulator.control.noCapacity()
  const spot = await gce.inserted({ name: 'spot' })
  const kept = await gce.inserted({ name: 'kept', ...onDemand, ...reserved('NO_RESERVATION') })
  const first = await gce.inserted({ name: 'first', ...onDemand })
  const second = await gce.insertRunning({ name: 'second', ...onDemand })
  const fates = await Promise.all(
    [spot, kept, first, second].map(async ({ name }) => failureOf(await gce.operation(name)).code),
  )
  const exhausted = 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS'
  expect(fates).toEqual([exhausted, exhausted, undefined, exhausted])
  expect(await inUse(gce)).toEqual(['1'])
})

test('a reservation by its name', async () => {
  await using gce = await startGce()
  await gce.control('reserve', { ...terms, match: 'targeted' })
  await gce.inserted({ name: 'unasked', ...onDemand })
  expect(await inUse(gce)).toEqual(['0'])
  await gce.inserted({ ...onDemand, ...byName('projects/spot-simulated/reservations/mine') })
  expect(await inUse(gce)).toEqual(['1'])
  expect((await gce.look('worker'))?.['reservationAffinity']).toMatchObject({
    consumeReservationType: 'SPECIFIC_RESERVATION',
  })
  gce.simulator.control.vanish('worker')
  expect(gce.simulator.control.reservations()).toMatchObject([{ name: 'mine', available: 1 }])
})

test.each<[string, object, string, string]>([
  ['one that is not there', byName('gone'), 'badRequest', 'Specified reservations [gone] do not exist.'],
  [
    'one for another type',
    { ...byName('mine'), ...typed('e2-standard-4') },
    'badRequest',
    "'mine' does not have available",
  ],
  ['two', byName('mine', 'yours'), 'invalid', 'Exactly one reservation must be named.'],
  [
    'one without a key',
    reserved('SPECIFIC_RESERVATION', { values: ['mine'] }),
    'invalid',
    "Must be 'compute.googleapis",
  ],
  ['any, and one by name', reserved('ANY_RESERVATION', { values: ['mine'] }), 'invalid', 'Must not be set with'],
])('%s is refused', async (_, said, code, message) => {
  await using gce = await startGce()
  gce.simulator.control.reserve(terms)
  expect(await refusalOf(gce.insert({ ...onDemand, ...said }))).toEqual({
    code,
    status: 400,
    message: expect.stringContaining(message) as string,
  })
})

test('one that is full is refused, one that is cancelled is not there', async () => {
  await using gce = await startGce()
  gce.simulator.control.reserve(terms)
  await gce.inserted({ name: 'first', ...onDemand })
  expect((await refusalOf(gce.insert({ ...onDemand, ...byName('mine') }))).message).toContain('available resources')
  await gce.control('cancel-reservation', { name: 'mine' })
  expect((await refusalOf(gce.insert({ ...onDemand, ...byName('mine') }))).message).toContain('do not exist')
  expect(await refusalOf(gce.call('GET', `zones/${zone}/reservations/mine`))).toMatchObject({ code: 'notFound' })
})
