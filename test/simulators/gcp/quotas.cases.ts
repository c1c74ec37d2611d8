import { expect, test } from 'vitest'
import { failureOf, instancesPath, onDemand, refusalOf, startGce } from './fixture.ts'

test('more than a quota allows: accepted, and said by the operation', async () => {
  await using gce = await startGce()
  gce.simulator.control.quota({ metric: 'CPUS', limit: 3 })
  expect(await gce.fate({ name: 'first' })).toBeUndefined()
  const { name } = await gce.insertRunning()
  const operation = await gce.operation(name)
  expect(failureOf(operation)).toEqual({
    status: 'DONE',
    code: 'QUOTA_EXCEEDED',
    message: "Quota 'CPUS' exceeded.  Limit: 3.0 in region us-central1.",
    http: [403, 'FORBIDDEN'],
  })
  expect(operation.error?.errors[0]).toMatchObject({
    errorDetails: [
      {
        quotaInfo: {
          metricName: 'compute.googleapis.com/cpus',
          limitName: 'CPUS-per-project-region',
          limit: 3,
          dimensions: { region: 'us-central1' },
        },
      },
    ],
  })
  expect(gce.simulator.control.remains()).toMatchObject({ instances: ['first'], disks: ['first'] })
})

test('said at once, where that is wanted', async () => {
  await using gce = await startGce()
  await gce.control('quota', { metric: 'INSTANCES', limit: 0, synchronous: true })
  expect(await refusalOf(gce.insert())).toEqual({
    code: 'quotaExceeded',
    status: 403,
    message: "Quota 'INSTANCES' exceeded.  Limit: 0.0 in region us-central1.",
  })
  expect((await gce.insert()).text).toContain('"domain": "usageLimits"')
  await gce.control('lift-quota', { metric: 'INSTANCES' })
  await gce.inserted()
})

test('spot instances have a quota of their own where there is one, else the usual one', async () => {
  await using gce = await startGce()
  gce.simulator.control.quota({ metric: 'CPUS', limit: 0 })
  expect(await gce.fate()).toBe('QUOTA_EXCEEDED')
  gce.simulator.control.quota({ metric: 'PREEMPTIBLE_CPUS', limit: 2 })
  expect([await gce.fate(), await gce.fate({ name: 'usual', ...onDemand })]).toEqual([undefined, 'QUOTA_EXCEEDED'])
  expect(await gce.fate({ name: 'second' })).toBe('QUOTA_EXCEEDED')
})

test('what is stopped or deleted uses nothing', async () => {
  await using gce = await startGce()
  gce.simulator.control.quota({ metric: 'INSTANCES', limit: 1 })
  expect([await gce.fate(), await gce.fate({ name: 'second' })]).toEqual([undefined, 'QUOTA_EXCEEDED'])
  await gce.done('POST', `${instancesPath}/worker/stop`)
  await gce.clock.advance(1000)
  expect(await gce.fate({ name: 'second' })).toBeUndefined()
  gce.simulator.control.vanish('second')
  expect(await gce.fate({ name: 'third' })).toBeUndefined()
})

const of = (type: string) => ({ machineType: `zones/us-central1-a/machineTypes/${type}` })

test('newer series and accelerators have quotas of their own', async () => {
  await using gce = await startGce()
  const { control } = gce.simulator
  control.quota({ metric: 'NVIDIA_L4_GPUS', limit: 1 })
  control.quota({ metric: 'N2_CPUS', limit: 1 })
  const fate = (name: string, type: string) => gce.fate({ name, ...of(type) })
  expect([await fate('g1', 'g2-standard-4'), await fate('g2', 'g2-standard-4')]).toEqual([undefined, 'QUOTA_EXCEEDED'])
  expect([await fate('n2', 'n2-standard-2'), await fate('e2', 'e2-standard-2')]).toEqual(['QUOTA_EXCEEDED', undefined])
  control.quota({ metric: 'CPUS', limit: 0 })
  expect([await fate('e3', 'e2-standard-2'), await fate('d2', 'n2d-standard-2')]).toEqual(['QUOTA_EXCEEDED', undefined])
})

test('spot accelerators have a quota of their own where there is one, else the usual one', async () => {
  await using gce = await startGce()
  const { control } = gce.simulator
  control.quota({ metric: 'NVIDIA_L4_GPUS', limit: 0 })
  expect(await gce.fate({ name: 'first', ...of('g2-standard-4') })).toBe('QUOTA_EXCEEDED')
  control.quota({ metric: 'PREEMPTIBLE_NVIDIA_L4_GPUS', limit: 1 })
  expect(await gce.fate({ name: 'second', ...of('g2-standard-4') })).toBeUndefined()
})
