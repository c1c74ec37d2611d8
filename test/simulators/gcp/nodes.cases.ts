import { expect, test } from 'vitest'
import { keptNodes } from '../kit/kept-nodes.ts'
import { instancesPath, startGce, zone } from './fixture.ts'
import { typed } from './traps/trap.ts'

test('a kubelet starts when the instance runs, and presents it', async () => {
  const nodes = keptNodes()
  await using gce = await startGce({ nodes })
  await gce.inserted(typed('g2-standard-24'))
  expect(nodes.said).toEqual([])
  await gce.clock.advance(2000)
  const dnsName = `worker.${zone}.c.spot-simulated.internal`
  expect(nodes.machines).toEqual([
    {
      name: 'worker',
      providerID: `gce://spot-simulated/${zone}/worker`,
      instanceType: 'g2-standard-24',
      region: 'us-central1',
      zone,
      addresses: [
        { type: 'InternalIP', address: '10.0.0.2' },
        { type: 'InternalDNS', address: dnsName },
        { type: 'Hostname', address: dnsName },
      ],
      architecture: 'amd64',
      cpus: 24,
      memoryMiB: 98_304,
      devices: { 'nvidia.com/gpu': 2 },
    },
  ])
})

test('without user data nothing makes the machine join a cluster', async () => {
  const nodes = keptNodes()
  await using gce = await startGce({ nodes })
  await gce.inserted({ metadata: { items: [] } })
  await gce.clock.advance(2000)
  gce.simulator.control.stop('worker')
  expect(nodes.said).toEqual([])
})

test.each(['stop', 'terminate', 'interrupt', 'vanish', 'impair'] as const)(
  '%s: the kubelet falls silent at once, and once',
  async (end) => {
    const nodes = keptNodes()
    await using gce = await startGce({ nodes })
    await gce.inserted()
    await gce.clock.advance(2000)
    gce.simulator.control[end]('worker')
    expect(nodes.said).toEqual(['started worker', 'stopped worker'])
    await gce.clock.advance(10_000)
    expect(nodes.said).toHaveLength(2)
  },
)

test('an instance that is started again has its kubelet again', async () => {
  const nodes = keptNodes()
  await using gce = await startGce({ nodes })
  await gce.inserted()
  await gce.clock.advance(2000)
  gce.simulator.control.stop('worker')
  await gce.clock.advance(1000)
  await gce.done('POST', `${instancesPath}/worker/start`)
  await gce.clock.advance(2000)
  expect(nodes.said).toEqual(['started worker', 'stopped worker', 'started worker'])
})

test('an instance that ends before it runs, or never is, has no kubelet', async () => {
  const nodes = keptNodes()
  await using gce = await startGce({ nodes })
  await gce.inserted()
  gce.simulator.control.terminate('worker')
  gce.simulator.control.noCapacity()
  await gce.inserted({ name: 'other' })
  await gce.clock.advance(10_000)
  expect(nodes.said).toEqual([])
})
