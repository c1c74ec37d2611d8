import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { annotations } from '../../api/labels.ts'
import { ClusterWorld } from '../../test/support/worlds/cluster-world.ts'

const minutes = 60_000
let world: ClusterWorld
beforeEach(async () => {
  world = await ClusterWorld.settled()
})
afterEach(() => world[Symbol.asyncDispose]())

/** Launches an instance of the other manager, whose attempt is in another etcd. */
const theirs = (name: string) => world.launch(name, { machine: false })
const stateOf = (id: string) => world.cloud.instances.get(id)?.state
const shared = () => world.condition('OwnerIdShared')
const cause = () => world.object?.metadata.annotations?.[annotations.ownerIdShared]
const annotate = (change: Record<string, string | undefined>, kind = 'AWSCluster') => {
  const { metadata, ...rest } = world.apiserver.get(kind, 'default/c1') ?? { metadata: { name: 'c1' } }
  const all = Object.entries({ ...metadata.annotations, ...change })
  const kept = Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Record<string, string>
  world.apiserver.put(kind, { ...rest, metadata: { ...metadata, annotations: kept } })
}

describe('an instance that appears while this manager looks, with a token that no attempt here ever had', () => {
  it('is never ended: another manager is alive', async () => {
    await world.launch('m1')
    await world.launch('m2')
    await world.passes(30 * minutes)
    const id = await theirs('m3')
    await world.passes(120 * minutes)
    expect(stateOf(id)).toBe('running')
    expect(world.cloud.count('terminate')).toBe(0)
    expect(shared()).toMatchObject({ status: 'True', reason: 'AnotherManager' })
    expect(shared()?.message).toContain(`${id} (m3)`)
    expect(shared()?.message).toContain(`remove annotation ${annotations.ownerIdShared} of AWSCluster c1`)
    expect(world.condition('OrphansFound')).toMatchObject({ status: 'True' })
    expect(world.events).toHaveLength(1)
  })

  it('has nothing ended, what is an orphan of ours neither, by later processes too', async () => {
    await theirs('m3')
    await world.passes(11 * minutes)
    expect(cause()).toContain('m3')
    const orphan = await world.orphan('ours')
    await world.clock.advance(6 * minutes)
    world.leaseRenewedAt = world.clock.now()
    world.restart()
    await world.pass()
    await world.passes(30 * minutes)
    expect(stateOf(orphan)).toBe('running')
    expect(shared()).toMatchObject({ status: 'True', reason: 'AnotherManager' })
    expect(world.condition('OrphansFound')?.message).toContain('The manager terminates none')
  })

  it('was made here after all, when a person says so by removing the annotation', async () => {
    const id = await theirs('m3')
    await world.passes(11 * minutes)
    annotate({ [annotations.ownerIdShared]: undefined })
    await world.pass()
    expect(shared()).toMatchObject({ status: 'False', reason: 'OwnerIdNotShared' })
    expect(stateOf(id)).toBe('terminating')
    const later = await theirs('m4')
    await world.passes(11 * minutes)
    expect(stateOf(later)).toBe('running')
    expect(shared()).toMatchObject({ status: 'True', reason: 'AnotherManager' })
  })

  it('is still another’s when somebody replaces the whole object, and all annotations with it', async () => {
    const id = await theirs('m3')
    await world.passes(11 * minutes)
    const before = cause()
    const { metadata, ...rest } = world.object as NonNullable<typeof world.object>
    const { annotations: _, ...bare } = metadata
    world.apiserver.put('AWSCluster', { ...rest, metadata: bare })
    await world.passes(60 * minutes)
    expect(cause()).toBe(before)
    expect(stateOf(id)).toBe('running')
    expect(shared()).toMatchObject({ status: 'True', reason: 'AnotherManager' })
  })

  it('is noted before this process may end: the next one finds it there when it begins', async () => {
    const id = await theirs('m3')
    await world.pass(15_000)
    expect(cause()).toContain('m3')
    await world.clock.advance(20 * minutes)
    world.leaseRenewedAt = world.clock.now()
    world.restart()
    await world.pass()
    await world.passes(60 * minutes)
    expect(stateOf(id)).toBe('running')
  })

  it('is not accepted because etcd was put back to a copy from before all that', async () => {
    await world.passes(11 * minutes)
    const copy = world.apiserver.copy()
    const id = await theirs('m3')
    await world.passes(6 * minutes)
    expect(shared()?.status).toBe('True')
    world.apiserver.putBack(copy)
    await world.passes(30 * minutes)
    expect(stateOf(id)).toBe('running')
    expect(shared()?.status).toBe('True')
  })
})

describe('a process that begins with an older copy of etcd', () => {
  const begin = async (leaseRenewedAt: number | undefined) => {
    world.leaseRenewedAt = leaseRenewedAt
    world.restart()
    await world.pass()
    await world.passes(30 * minutes)
  }

  it('only tells of what was launched after the Lease, as it found it, was renewed for the last time', async () => {
    const renewedAt = world.clock.now()
    await world.clock.advance(2 * minutes)
    const id = await theirs('m3')
    await begin(renewedAt)
    expect(stateOf(id)).toBe('running')
    expect(shared()).toMatchObject({ status: 'True', reason: 'AnotherManager' })
  })

  it('ends what is older and belongs to no machine', async () => {
    const id = await theirs('m3')
    await world.clock.advance(6 * minutes)
    await begin(world.clock.now())
    expect(stateOf(id)).toBe('terminating')
    expect(shared()).toBeUndefined()
  })

  it('only tells where there was no Lease', async () => {
    const id = await theirs('m3')
    await world.clock.advance(2 * minutes)
    await begin(undefined)
    expect(stateOf(id)).toBe('running')
  })
})

describe('objects that another manager held', () => {
  const arrive = async () => {
    annotate({ [annotations.ownerIdHolder]: 'elsewhere/lease' })
    annotate({ [annotations.ownerIdHolder]: 'elsewhere/lease' }, 'Cluster')
    world.leaseRenewedAt = world.clock.now() + 10 * minutes
    world.restart()
    await world.pass()
    await world.pass(15_000)
  }
  const holders = () =>
    ['AWSCluster', 'Cluster'].map(
      (kind) => world.apiserver.get(kind, 'default/c1')?.metadata.annotations?.[annotations.ownerIdHolder],
    )

  it('came by a move: all instances have their machine here, and this manager holds them now', async () => {
    await world.launch('m1')
    await arrive()
    expect(holders()).toEqual(['here/lease', 'here/lease'])
    expect(shared()).toBeUndefined()
  })

  it('came by a move: what is on its way out has lost its machine before that, and is nobody else’s', async () => {
    world.cloud.set(await theirs('m0'), 'terminating')
    await world.launch('m1')
    await arrive()
    expect(shared()).toBeUndefined()
  })

  it('are a copy: an instance has no machine here, so nothing is ended until a person has looked', async () => {
    const id = await theirs('m1')
    await arrive()
    expect(shared()).toMatchObject({ status: 'True', reason: 'AnotherManager' })
    expect(shared()?.message).toContain('elsewhere/lease')
    await world.passes(60 * minutes)
    expect(stateOf(id)).toBe('running')
    annotate({ [annotations.ownerIdShared]: undefined })
    await world.pass()
    expect(shared()?.status).toBe('False')
    expect(stateOf(id)).toBe('terminating')
  })

  it('are named beside the owner id from its first day', async () => {
    await world.pass()
    expect(holders()).toEqual(['here/lease', 'here/lease'])
  })
})

it('no more are ended within an hour than at once', async () => {
  await world.passes(11 * minutes)
  const ids: string[] = []
  for (const name of ['m0', 'm1', 'm2']) {
    ids.push(await world.orphan(name))
    await world.passes(6 * minutes)
  }
  expect(ids.map(stateOf)).toEqual(['terminating', 'terminating', 'running'])
  expect(world.condition('OrphansFound')?.message).toContain('The manager terminates no more than 2 within an hour')
  await world.passes(40 * minutes)
  expect(ids.map(stateOf)).toEqual(['terminating', 'terminating', 'running'])
  await world.passes(20 * minutes)
  expect(ids.map(stateOf)).toEqual(['terminating', 'terminating', 'terminating'])
})

it('never says that every instance has a machine while one has none', async () => {
  await world.launch('m1')
  await world.passes(11 * minutes)
  expect(world.condition('OrphansFound')).toMatchObject({ status: 'False', reason: 'NoOrphans' })
  await world.orphan('m2')
  await world.pass(15_000)
  expect(world.condition('OrphansFound')).toMatchObject({ status: 'Unknown', reason: 'OrphansSuspected' })
})
