import { expect, test } from 'vitest'
import { keptNodes } from '../kit/kept-nodes.ts'
import { startEc2 } from './fixture.ts'
import { somewhere } from '../kit/somewhere.ts'
import { standardWorld } from './world.ts'

const name = 'ip-10-0-0-4.ec2.internal'

test('a kubelet starts when the instance runs, and presents it', async () => {
  const nodes = keptNodes()
  await using ec2 = await startEc2({ nodes })
  const id = await ec2.launchOne({ InstanceType: 'g5.12xlarge' })
  expect(nodes.said).toEqual([])
  await ec2.clock.advance(2000)
  expect(nodes.machines).toEqual([
    {
      name,
      providerID: `aws:///us-east-1a/${id}`,
      instanceType: 'g5.12xlarge',
      region: 'us-east-1',
      zone: 'us-east-1a',
      addresses: [
        { type: 'InternalIP', address: '10.0.0.4' },
        { type: 'InternalDNS', address: name },
        { type: 'Hostname', address: name },
      ],
      architecture: 'amd64',
      cpus: 48,
      memoryMiB: 196_608,
      devices: { 'nvidia.com/gpu': 4 },
    },
  ])
})

test('without user data nothing makes the machine join a cluster', async () => {
  const nodes = keptNodes()
  await using ec2 = await startEc2({ nodes })
  const id = await ec2.launchOne({ UserData: undefined })
  await ec2.clock.advance(2000)
  ec2.simulator.control.stop(id)
  expect(nodes.said).toEqual([])
})

test.each(['stop', 'terminate', 'interrupt', 'vanish'] as const)(
  '%s: the kubelet falls silent at once, and once',
  async (end) => {
    const nodes = keptNodes()
    await using ec2 = await startEc2({ nodes })
    const id = await ec2.launchOne()
    await ec2.clock.advance(2000)
    ec2.simulator.control[end](id)
    expect(nodes.said).toEqual([`started ${name}`, `stopped ${name}`])
    await ec2.clock.advance(10_000)
    expect(nodes.said).toHaveLength(2)
  },
)

test('an instance that ends before it runs has no kubelet', async () => {
  const nodes = keptNodes()
  await using ec2 = await startEc2({ nodes })
  ec2.simulator.control.terminate(await ec2.launchOne())
  await ec2.clock.advance(10_000)
  expect(nodes.said).toEqual([])
})

test('two simulators do not name their Nodes alike', async () => {
  const names = await Promise.all(
    [1, 2].map(async () => {
      const nodes = keptNodes()
      await using ec2 = await startEc2({ nodes, world: standardWorld(somewhere()) })
      await ec2.launch({ MinCount: 3, MaxCount: 3 })
      await ec2.clock.advance(2000)
      return nodes.said
    }),
  )
  expect(new Set(names.flat()).size).toBe(6)
})
