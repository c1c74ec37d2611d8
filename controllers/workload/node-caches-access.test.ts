import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until, untilOn } from '../../test/support/until.ts'
import { cluster, NodeCachesWorld, says } from '../../test/support/worlds/node-caches-world.ts'
import { WorkloadNodes } from '../../test/support/worlds/workload-nodes.ts'

let world: NodeCachesWorld
beforeEach(async () => {
  world = await NodeCachesWorld.start()
})
afterEach(() => world[Symbol.asyncDispose]())

describe('a Secret that is rotated', () => {
  it('with the old token withdrawn: the cache goes on with the new one, and nobody hears of it', async () => {
    await world.watched()
    world.workload.stub.token = 'rotated'
    world.workload.secretIn(world.management)
    world.workload.breakWatches()
    world.workload.put({ name: 'n1', ...says('Terminating') })
    await untilOn(world.clock, 100, () => world.conditions()?.[0] === 'Terminating')
    expect(world.works()).toBe(true)
    expect(world.log.lines.filter((line) => line.includes('"warn"'))).toEqual([])
  })

  it('and leads to another place, while the old one still serves: within a minute the Nodes are those of the other', async () => {
    await using elsewhere = await WorkloadNodes.start(5)
    elsewhere.put({ name: 'n2' })
    await world.watched()
    elsewhere.secretIn(world.management)
    await world.clock.advance(60_000)
    await until(() => world.caches.get(cluster, 'n2') !== undefined)
    expect(world.caches.get(cluster, 'n1')).toBeUndefined()
    expect(world.seen).toEqual(['default/c1 n1 new is', 'default/c1 n1 was gone', 'default/c1 n2 new is'])
    await until(() => world.workload.watches === 0)
    elsewhere.put({ name: 'n2', ...says('Terminating') })
    await until(() => world.conditions('n2')?.[0] === 'Terminating')
  })

  it('the same Secret breaks nothing', async () => {
    await world.watched()
    await world.clock.advance(600_000)
    expect(world.reads).toBe(11)
    expect(world.workload.asked('watch')).toHaveLength(1)
    expect(world.workload.asked('list')).toHaveLength(1)
  })

  it('one that cannot be read breaks nothing: the management cluster is away, not the workload cluster', async () => {
    await world.watched()
    world.isManagementAway = true
    await world.clock.advance(120_000)
    world.workload.breakWatches()
    world.workload.put({ name: 'n1', ...says('Terminating') })
    await untilOn(world.clock, 100, () => world.conditions()?.[0] === 'Terminating')
    expect(world.works()).toBe(true)
  })

  it('one that is deleted ends the watch, says so, and a new one is found', async () => {
    await world.watched()
    world.management.remove('Secret', 'default/c1-kubeconfig')
    await untilOn(world.clock, 1_000, () => !world.works())
    expect(world.caches.state(cluster)?.message).toMatch(/Secret c1-kubeconfig does not exist; create it/)
    await until(() => world.workload.watches === 0)
    world.workload.secretIn(world.management)
    await untilOn(world.clock, 1_000, world.works)
  })
})

it('without the right to list Nodes it says so, and works once the right is there', async () => {
  world.workload.isDenied = true
  world.workload.secretIn(world.management)
  world.caches.use(cluster, 'AWSMachine default/m1')
  await untilOn(world.clock, 1_000, () => /may not/.test(world.caches.state(cluster)?.message ?? ''))
  expect(world.caches.state(cluster)).toEqual({
    works: false,
    message:
      'The user of the kubeconfig in Secret c1-kubeconfig may not list and watch nodes. Grant it in the workload cluster; docs/workload-access.md has a manifest.',
  })
  world.workload.isDenied = false
  await untilOn(world.clock, 1_000, world.works)
})

it.each([
  [
    'refused credentials',
    (given: WorkloadNodes) => void (given.stub.token = 'other'),
    /rejects the credentials .* Secret c1-kubeconfig/,
  ],
  [
    'no Secret',
    () => world.management.remove('Secret', 'default/c1-kubeconfig'),
    /Secret c1-kubeconfig does not exist/,
  ],
])('%s: it says what to do', async (_, spoil, message) => {
  world.workload.secretIn(world.management)
  spoil(world.workload)
  world.caches.use(cluster, 'AWSMachine default/m1')
  await untilOn(world.clock, 1_000, () => message.test(world.caches.state(cluster)?.message ?? ''))
  expect(world.works()).toBe(false)
})

it('a kubeconfig with a fault: it says which, and works when that is mended', async () => {
  const metadata = { namespace: 'default', name: 'c1-kubeconfig', uid: 'secret' }
  world.management.put('Secret', {
    metadata,
    data: world.workload.stub.kubeconfig({ exec: { command: 'touch' } }),
  } as never)
  world.caches.use(cluster, 'AWSMachine default/m1')
  await untilOn(world.clock, 1_000, () => /`exec`/.test(world.caches.state(cluster)?.message ?? ''))
  expect(world.caches.state(cluster)?.message).toMatch(/^Secret c1-kubeconfig: The kubeconfig has `exec`/)
  world.workload.secretIn(world.management)
  await untilOn(world.clock, 1_000, world.works)
})
