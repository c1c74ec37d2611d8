import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until, untilOn } from '../../test/support/until.ts'
import { cluster, NodeCachesWorld, other, says } from '../../test/support/worlds/node-caches-world.ts'
import { WorkloadNodes } from '../../test/support/worlds/workload-nodes.ts'
import { mostNodes } from './node-client.ts'

let world: NodeCachesWorld
beforeEach(async () => {
  world = await NodeCachesWorld.start()
})
afterEach(() => world[Symbol.asyncDispose]())

describe('a workload cluster that does not answer', () => {
  it('is tried again after pauses that grow to half a minute, is logged once, and goes on when it is back', async () => {
    await world.watched()
    world.workload.away(true)
    await untilOn(world.clock, 1_000, () => !world.works())
    expect(world.caches.get(cluster, 'n1'), 'what was known stays').toBeDefined()
    expect(world.caches.state(cluster)?.message).toMatch(/gives no usable answer .* Secret c1-kubeconfig/)
    expect(world.caches.state(cluster)?.message).not.toContain('127.0.0.1')
    await untilOn(world.clock, 1_000, () => world.workload.stub.server.requests.length > 30)
    const asked = world.workload.stub.server.requests.length
    const from = world.clock.now()
    await untilOn(world.clock, 1_000, () => world.workload.stub.server.requests.length >= asked + 6)
    // A broken connection is tried twice at once.
    expect(world.clock.now() - from).toBeGreaterThan(2 * 28_000)
    world.workload.away(false)
    world.workload.put({ name: 'n1', ...says('Terminating') })
    await untilOn(world.clock, 1_000, () => world.works() && world.conditions()?.[0] === 'Terminating')
    const lines = world.log.lines.filter((line) => !line.includes('"debug"'))
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      'Not watching the Nodes of a workload cluster',
      'Watching the Nodes of a workload cluster again',
    ])
    expect(lines[0]).toContain('"Cluster":"default/c1"')
  })

  it('a connection that breaks once is no outage', async () => {
    await world.watched()
    world.workload.breakWatches()
    await untilOn(world.clock, 100, () => world.workload.watches === 1)
    expect(world.works()).toBe(true)
    expect(world.log.lines.filter((line) => !line.includes('"debug"'))).toEqual([])
  })

  it('stops no other Cluster', async () => {
    await using dead = await WorkloadNodes.start()
    dead.away(true)
    dead.secretIn(world.management, 'c2')
    for (let n = 0; n < 50; n++) world.caches.use(other, `AWSMachine default/d${n}`)
    await world.watched()
    for (let n = 0; n < 20; n++) {
      await world.clock.advance(10_000)
      world.workload.put({ name: `late-${n}` })
      await until(() => world.caches.get(cluster, `late-${n}`) !== undefined)
    }
    expect(world.caches.state(other)?.works).toBe(false)
  })

  it('is logged at most once in ten minutes, however often it comes and goes', async () => {
    await world.watched()
    for (let n = 0; n < 5; n++) {
      world.workload.away(true)
      await untilOn(world.clock, 1_000, () => !world.works())
      world.workload.away(false)
      await untilOn(world.clock, 1_000, world.works)
    }
    expect(world.log.lines.filter((line) => line.includes('"warn"'))).toHaveLength(1)
  })
})

describe('a workload cluster that sends too much', () => {
  it('more Nodes than a cluster has: it is off, says so, and keeps none of them', async () => {
    for (let n = 0; n <= mostNodes; n++)
      world.workload.nodes.set(`n${n}`, { metadata: { name: `n${n}`, resourceVersion: '1' } })
    world.workload.secretIn(world.management)
    world.caches.use(cluster, 'AWSMachine default/m1')
    await until(() => (world.caches.state(cluster)?.message ?? '').includes('more than 5000'))
    expect(world.seen).toEqual([])
    world.workload.nodes.delete('n0')
    await untilOn(world.clock, 1_000, world.works)
    world.workload.put({ name: 'one too many' })
    await untilOn(world.clock, 1_000, () => !world.works())
    expect(world.caches.get(cluster, 'one too many')).toBeUndefined()
  })

  it('a name that no Node has', async () => {
    await world.watched()
    world.workload.put({ name: 'x'.repeat(254) })
    await untilOn(world.clock, 1_000, () => !world.works())
    expect(world.seen).toEqual(['default/c1 n1 new is'])
  })
})
