import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import { annotations } from '../../api/labels.ts'
import { fakeScope } from '../../test/support/fakes/fake-cloud.ts'
import { ClusterWorld, ref } from '../../test/support/worlds/cluster-world.ts'

const minutes = 60_000
let world: ClusterWorld
beforeEach(async () => {
  world = await ClusterWorld.settled()
})
afterEach(() => world[Symbol.asyncDispose]())

/** Launches an instance of the other manager, whose attempt is in another etcd. */
const theirs = () => world.launch('m3', { machine: false })
const stateOf = (id: string) => world.cloud.instances.get(id)?.state
const change = (spec: object) => {
  const cluster = world.apiserver.get('Cluster', 'default/c1')
  world.apiserver.put('Cluster', { ...cluster, spec: { infrastructureRef: ref, ...spec } } as never)
}
const remove = () => world.apiserver.markDeleted('AWSCluster', 'default/c1', '2026-01-01T00:00:00Z')

/** The next process finds a Lease that the one before has renewed until now. */
const restart = async () => {
  world.leaseRenewedAt = world.clock.now()
  world.restart()
  await world.pass()
}

interface Blind {
  readonly why: string
  readonly begin: () => void
  readonly end: () => void
}

const reasons: readonly Blind[] = [
  { why: 'the Cluster is paused', begin: () => change({ paused: true }), end: () => change({}) },
  {
    why: 'the Cluster names another object',
    begin: () => change({ infrastructureRef: { ...ref, name: 'c2' } }),
    end: () => change({}),
  },
  {
    why: 'its namespace may not use the account',
    begin: () => void (world.accounts = new Map([['default', ['gcp/project-a']]])),
    end: () => void (world.accounts = undefined),
  },
  {
    why: 'lists fail',
    begin: () => void (world.cloud.listFault = new CloudError('denied', { code: 'AuthFailure', message: 'Not you.' })),
    end: () => void (world.cloud.listFault = undefined),
  },
  {
    why: 'lists lack a zone',
    begin: () => void world.cloud.silentZones.add('us-east-1a'),
    end: () => world.cloud.silentZones.clear(),
  },
]

describe('an instance of another manager that appears while the process before does not look', () => {
  it.each(reasons)('is not ended: $why', async ({ begin, end }) => {
    await world.passes(11 * minutes)
    begin()
    await world.passes(1 * minutes)
    const id = await theirs()
    await world.passes(20 * minutes)
    expect(world.condition('OrphansFound')).toMatchObject({ status: 'Unknown', reason: 'InstancesUnseen' })
    await restart()
    end()
    await world.passes(60 * minutes)
    expect(stateOf(id)).toBe('running')
    expect(world.condition('OwnerIdShared')).toMatchObject({ status: 'True', reason: 'AnotherManager' })
  })

  it.each(reasons)('is not ended, though the next process ends before it may look: $why', async ({ begin, end }) => {
    await world.passes(11 * minutes)
    begin()
    const id = await theirs()
    await restart()
    await world.passes(20 * minutes)
    await restart()
    end()
    await world.passes(60 * minutes)
    expect(stateOf(id)).toBe('running')
    expect(world.condition('OwnerIdShared')).toMatchObject({ status: 'True', reason: 'AnotherManager' })
  })

  it('is not ended: the cluster was pinned to another account meanwhile', async () => {
    await world.passes(11 * minutes)
    const id = await theirs()
    const there = new Map(world.cloud.instances)
    world.cloud.instances.clear()
    world.cloud.account = '999988887777'
    await world.passes(20 * minutes)
    expect(world.object?.metadata.annotations?.[annotations.account]).toBe('999988887777')
    expect(world.condition('OrphansFound')).toMatchObject({ status: 'False', reason: 'NoOrphans' })
    await restart()
    world.cloud.account = fakeScope.account
    for (const [key, instance] of there) world.cloud.instances.set(key, instance)
    await world.passes(60 * minutes)
    expect(stateOf(id)).toBe('running')
    expect(world.condition('OwnerIdShared')).toMatchObject({ status: 'True', reason: 'AnotherManager' })
  })
})

it('an instance of another manager is noted while a machine holds the cluster that is being deleted', async () => {
  await world.launch('m1')
  await world.passes(1 * minutes)
  remove()
  await world.passes(1 * minutes)
  const id = await theirs()
  await world.passes(1 * minutes)
  expect(world.condition('Ready')).toMatchObject({ reason: 'WaitingForMachines' })
  expect(world.object?.metadata.annotations?.[annotations.ownerIdShared]).toContain(id)
  await world.passes(20 * minutes)
  await restart()
  world.apiserver.remove('AWSMachine', 'default/m1')
  await world.passes(60 * minutes)
  expect(stateOf(id)).toBe('running')
})

it('a deleted cluster whose last lists fail is not believed to have looked', async () => {
  await world.passes(1 * minutes)
  world.cloud.listFault = new CloudError('transient', { code: 'Internal', message: 'Not now.' })
  remove()
  await world.passes(1 * minutes)
  expect(world.condition('OrphansFound')).toMatchObject({ reason: 'NoOrphans' })
  await world.passes(3 * minutes)
  expect(world.condition('OrphansFound')).toMatchObject({ status: 'Unknown', reason: 'InstancesUnseen' })
})

it('trouble of a minute says nothing about the instances', async () => {
  world.cloud.listFault = new CloudError('transient', { code: 'Internal', message: 'Not now.' })
  await world.passes(1 * minutes)
  expect(world.condition('OrphansFound')).toMatchObject({ status: 'False', reason: 'NoOrphans' })
  await world.passes(3 * minutes)
  expect(world.condition('OrphansFound')).toMatchObject({ status: 'Unknown', reason: 'InstancesUnseen' })
  world.cloud.listFault = undefined
  await world.passes(3 * minutes)
  expect(world.condition('OrphansFound')).toMatchObject({ status: 'False', reason: 'NoOrphans' })
})

it('an orphan of ours is ended after a pause, by the process that has known it', async () => {
  const id = await world.orphan('gone')
  await world.pass(15_000)
  change({ paused: true })
  await world.passes(20 * minutes)
  change({})
  await world.passes(10 * minutes)
  expect(stateOf(id)).toBe('terminating')
})
