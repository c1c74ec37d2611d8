import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { until } from '../../test/support/until.ts'
import { cluster, NodeCachesWorld, other, says } from '../../test/support/worlds/node-caches-world.ts'
import { NodeCaches, unusedForMs } from './node-caches.ts'

let world: NodeCachesWorld
beforeEach(async () => {
  world = await NodeCachesWorld.start()
})
afterEach(() => world[Symbol.asyncDispose]())

describe('while a Cluster has interruptible machines', () => {
  it('its interruptible Nodes are listed and watched, and every change is told', async () => {
    await world.watched()
    world.workload.put({ name: 'n1', ...says('Terminating') })
    await until(() => world.conditions()?.[0] === 'Terminating')
    world.workload.remove('n1')
    await until(() => world.caches.get(cluster, 'n1') === undefined)
    expect(world.seen).toEqual(['default/c1 n1 new is', 'default/c1 n1 was is', 'default/c1 n1 was gone'])
    const selectors = [...world.workload.asked('list'), ...world.workload.asked('watch')].map(({ query }) =>
      query.get('labelSelector'),
    )
    expect(new Set(selectors)).toEqual(new Set(['cluster.x-k8s.io/interruptible']))
  })

  it('one watch serves all of them, for some minutes after the last', async () => {
    await world.watched()
    world.caches.use(cluster, 'AWSMachine default/m2')
    world.caches.use(cluster, 'AWSMachine default/m2')
    world.caches.leave('AWSMachine default/m1')
    await world.clock.advance(2 * unusedForMs)
    world.caches.leave('AWSMachine default/m2')
    await world.clock.advance(unusedForMs - 1)
    expect(world.caches.get(cluster, 'n1')).toBeDefined()
    world.caches.use(cluster, 'AWSMachine default/m3')
    await world.clock.advance(2 * unusedForMs)
    expect(world.workload.watches).toBe(1)
    world.caches.leave('AWSMachine default/m3')
    await world.clock.advance(unusedForMs)
    expect(world.caches.get(cluster, 'n1')).toBeUndefined()
    expect(world.caches.state(cluster)).toBeUndefined()
    expect(world.seen.at(-1)).toBe('default/c1 n1 was gone')
    await until(() => world.workload.watches === 0)
    await until(() => world.clock.pending === 0)
  })

  it('the watch ends with the Cluster, at once', async () => {
    await world.watched()
    world.caches.forget(cluster)
    expect(world.caches.state(cluster)).toBeUndefined()
    await until(() => world.workload.watches === 0)
    world.caches.use(cluster, 'AWSMachine default/m1')
    await until(world.works, 'it begins anew with the next machine')
  })

  it('a machine that names another Cluster leaves the first', async () => {
    await world.watched()
    world.caches.use(other, 'AWSMachine default/m1')
    await world.clock.advance(unusedForMs)
    expect(world.caches.state(cluster)).toBeUndefined()
    expect(world.caches.state(other)?.works).toBe(false)
  })
})

it('what is used before it runs begins when it runs', async () => {
  const early = new NodeCaches({ management: world.management.client() })
  world.workload.secretIn(world.management)
  world.workload.put({ name: 'n1' })
  early.use(cluster, 'AWSMachine default/m1')
  early.use(other, 'AWSMachine default/m2')
  early.leave('AWSMachine default/m2')
  expect(early.state(other)).toBeUndefined()
  const over = early.run(quietCtx({ signal: world.stop.signal }))
  await until(() => early.get(cluster, 'n1') !== undefined)
  world.stop.abort()
  await over
})

it('all end with the signal, and leave no timer and no connection', async () => {
  await world.watched()
  world.caches.use(other, 'AWSMachine default/m2')
  await world.clock.advance(0)
  world.stop.abort(new Error('SIGTERM'))
  await world.running
  await until(() => world.workload.watches === 0)
  expect(world.clock.pending).toBe(0)
})
