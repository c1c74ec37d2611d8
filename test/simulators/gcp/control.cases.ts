import { expect, test } from 'vitest'
import { onDemand, startGce } from './fixture.ts'

test('an instance is found by its name and by its id', async () => {
  await using gce = await startGce()
  const { targetId } = await gce.inserted()
  await gce.insertRunning({ name: 'other', ...onDemand })
  expect(await gce.control('interrupt', { id: targetId })).toMatchObject({ status: 200, json: { done: true } })
  await gce.control('stop', { id: 'other', reason: 'guest' })
  await gce.clock.advance(1000)
  expect((await gce.control('instances')).json).toMatchObject([
    { id: targetId, name: 'worker', state: 'TERMINATED', market: 'spot', reason: 'compute.instances.preempted' },
    { name: 'other', market: 'on-demand', reason: 'compute.instances.guestTerminate' },
  ])
  expect((await gce.control('remains')).json).toEqual({
    instances: ['worker', 'other'],
    disks: ['worker', 'other'],
    addresses: ['10.0.0.2', '10.0.0.3'],
  })
})

test('what an instance is doing decides what can happen to it', async () => {
  await using gce = await startGce()
  await gce.inserted()
  expect((await gce.control('repair', { id: 'worker' })).json).toEqual({
    error: 'Instance worker is PROVISIONING; it must be REPAIRING for this.',
  })
})

test('the facts are what somebody has to know to insert something', async () => {
  await using gce = await startGce()
  expect(gce.simulator.facts).toEqual({
    cloud: 'gcp',
    url: gce.simulator.url,
    project: 'spot-simulated',
    region: 'us-central1',
    zones: ['us-central1-a', 'us-central1-b', 'us-central1-c', 'us-central1-f'],
    network: 'spot',
    subnet: 'projects/spot-simulated/regions/us-central1/subnetworks/spot',
    image: 'projects/spot-simulated/global/images/capi-ubuntu-2404-k8s-v1-36-20260101',
  })
})
