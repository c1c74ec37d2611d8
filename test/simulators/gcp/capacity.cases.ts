import { expect, test } from 'vitest'
import { failureOf, refusalOf, startGce, zone } from './fixture.ts'

const exhausted = 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS'

test('GCE says yes, shows the instance for a moment, then says that it has none; nothing is left', async () => {
  await using gce = await startGce()
  gce.simulator.control.noCapacity()
  const { name } = await gce.inserted()
  expect((await gce.look('worker'))?.status).toBe('PROVISIONING')
  await gce.clock.advance(1000)
  const operation = await gce.operation(name)
  expect(failureOf(operation)).toEqual({
    status: 'DONE',
    code: exhausted,
    message: expect.stringContaining(
      "The zone 'projects/spot-simulated/zones/us-central1-a' does not have enough resources available",
    ) as string,
    http: [503, 'SERVICE UNAVAILABLE'],
  })
  expect(operation.error?.errors[0]).toMatchObject({
    errorDetails: [
      { help: {} },
      { localizedMessage: { locale: 'en-US' } },
      {
        errorInfo: {
          reason: 'resource_availability',
          domain: 'compute.googleapis.com',
          metadatas: {
            vmType: 'e2-standard-2',
            zone,
            zonesAvailable: 'us-central1-b,us-central1-c,us-central1-f',
            attachment: '',
          },
        },
      },
    ],
  })
  expect(await gce.look('worker')).toBeUndefined()
  expect(gce.simulator.control.remains()).toEqual({ instances: [], disks: [], addresses: [] })
})

test('it is decided when it is asked: capacity that comes back does not help the one that waits', async () => {
  await using gce = await startGce()
  gce.simulator.control.noCapacity()
  const { name } = await gce.inserted()
  gce.simulator.control.capacityBack()
  await gce.clock.advance(2000)
  expect(failureOf(await gce.operation(name)).code).toBe(exhausted)
  expect(await gce.fate()).toBeUndefined()
})

test('said at once, where that is wanted', async () => {
  await using gce = await startGce()
  await gce.control('no-capacity', { synchronous: true })
  expect(await refusalOf(gce.insert())).toEqual({
    code: 'resourcePoolExhausted',
    status: 503,
    message: expect.stringContaining('does not have enough resources available to fulfill the request.') as string,
  })
  expect(gce.simulator.control.remains()).toEqual({ instances: [], disks: [], addresses: [] })
})

test('any other failure after a yes', async () => {
  await using gce = await startGce()
  gce.simulator.control.failNextOperation('insert', 1, { code: 'INTERNAL_ERROR', message: 'Sorry.' })
  expect([await gce.fate(), await gce.fate()]).toEqual(['INTERNAL_ERROR', undefined])
})
