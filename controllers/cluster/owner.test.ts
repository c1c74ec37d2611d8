import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { annotations } from '../../api/labels.ts'
import { ClusterWorld, namespace, ref } from '../../test/support/worlds/cluster-world.ts'
import { fakeScope } from '../../test/support/fakes/fake-cloud.ts'

const minutes = 60_000
let world: ClusterWorld
beforeEach(async () => {
  world = await ClusterWorld.settled()
})
afterEach(() => world[Symbol.asyncDispose]())

const copy = () => world.object?.metadata.annotations?.[annotations.ownerId]
const shared = () => world.condition('OwnerIdShared')

/** Another Cluster with the owner id of ours, and an infrastructure cluster that has carried it since then. */
function putOther(since: string | undefined, ownerId = world.ownerId): void {
  const metadata = { namespace: 'other', name: 'c1', annotations: { [annotations.ownerId]: ownerId } }
  world.apiserver.put('Cluster', { metadata, spec: { infrastructureRef: ref } } as never)
  if (since !== undefined)
    world.apiserver.put('AWSCluster', { metadata: { ...metadata, creationTimestamp: since }, spec: {} } as never)
}

function bornAt(creationTimestamp: string): void {
  const { metadata, ...rest } = world.object as NonNullable<typeof world.object>
  world.apiserver.put('AWSCluster', { ...rest, metadata: { ...metadata, creationTimestamp } })
}

/** Core labels its machines. */
async function withMachine(name: string, ownerId = world.ownerId): Promise<void> {
  await world.launch(name, { owner: ownerId })
  const { metadata, ...rest } = world.apiserver.get('AWSMachine', `default/${name}`) ?? { metadata: { name } }
  const labels = { 'cluster.x-k8s.io/cluster-name': 'c1' }
  world.apiserver.put('AWSMachine', { ...rest, metadata: { ...metadata, labels } })
}

function writeOwnerId(ownerId: string | undefined): void {
  const { metadata, ...rest } = world.apiserver.get('Cluster', 'default/c1') ?? { metadata: { name: 'c1', namespace } }
  const noted = ownerId === undefined ? {} : { [annotations.ownerId]: ownerId }
  world.apiserver.put('Cluster', { ...rest, metadata: { ...metadata, annotations: noted } })
}

describe('an owner id on the Cluster that differs from the copy', () => {
  it.each([{ written: 'another' }, { written: undefined }])('is put back: $written', async ({ written }) => {
    const before = world.ownerId
    writeOwnerId(written)
    await world.pass()
    expect(world.ownerId).toBe(before)
    expect(copy()).toBe(before)
  })

  it('is not decided by a cache that shows an older copy than etcd holds', async () => {
    const old = world.object
    const { metadata, ...rest } = old as NonNullable<typeof old>
    world.apiserver.put('AWSCluster', {
      ...rest,
      metadata: { ...metadata, annotations: { [annotations.ownerId]: 'new' } },
    })
    writeOwnerId('new')
    world.deps = { ...world.deps, infraClusters: { ...world.deps.infraClusters, get: () => old } }
    await world.pass()
    expect(world.ownerId).toBe('new')
  })
})

describe('of two Clusters with one owner id', () => {
  it('the one whose infrastructure cluster has held it for longer keeps it', async () => {
    bornAt('2026-01-01T00:00:00Z')
    const before = world.ownerId
    putOther('2026-01-02T00:00:00Z')
    await world.pass()
    expect(world.ownerId).toBe(before)
    expect(shared()).toMatchObject({ status: 'True', reason: 'AnotherCluster' })
  })

  it('the younger that has nothing yet is given another at once, and its copy with it', async () => {
    bornAt('2026-01-02T00:00:00Z')
    const before = world.ownerId
    putOther('2026-01-01T00:00:00Z')
    await world.pass()
    expect(world.ownerId).not.toBe(before)
    expect(copy()).toBe(world.ownerId)
    expect(shared()).toBeUndefined()
    const given = world.ownerId
    await world.passes(2 * minutes)
    expect(world.ownerId).toBe(given)
  })

  it('the elder that has nothing gives way to a younger that has machines: who was moved or made anew is young', async () => {
    bornAt('2026-01-01T00:00:00Z')
    const before = world.ownerId
    putOther('2026-01-02T00:00:00Z')
    const attempt = {
      for: 'other/m9',
      owner: before,
      n: 1,
      token: 't',
      scope: fakeScope,
      startedAt: 'x',
      handle: 'i-9',
    }
    const metadata = {
      namespace: 'other',
      name: 'm9',
      labels: { 'cluster.x-k8s.io/cluster-name': 'c1' },
      annotations: { [annotations.attempt]: JSON.stringify(attempt) },
    }
    world.apiserver.put('AWSMachine', { metadata, spec: {} } as never)
    await world.pass()
    expect(world.ownerId).not.toBe(before)
    expect(shared()).toBeUndefined()
  })

  it('a machine that has lost its attempt counts for what its providerID says', async () => {
    bornAt('2026-01-02T00:00:00Z')
    const before = world.ownerId
    putOther('2026-01-01T00:00:00Z')
    const metadata = { namespace, name: 'm1', labels: { 'cluster.x-k8s.io/cluster-name': 'c1' } }
    world.apiserver.put('AWSMachine', { metadata, spec: { providerID: 'aws:///us-east-1a/i-1' } } as never)
    await world.pass()
    expect(world.ownerId).toBe(before)
  })

  it('the one without a copy is the younger', async () => {
    bornAt('2026-01-02T00:00:00Z')
    const before = world.ownerId
    putOther(undefined)
    await world.pass()
    expect(world.ownerId).toBe(before)
  })

  it('the younger that has machines under it keeps it until they are gone, and both say so', async () => {
    bornAt('2026-01-02T00:00:00Z')
    await withMachine('m1')
    const before = world.ownerId
    putOther('2026-01-01T00:00:00Z')
    await world.pass()
    expect(world.ownerId).toBe(before)
    expect(shared()).toMatchObject({ status: 'True', reason: 'AnotherCluster' })
    expect(shared()?.message).toContain('Delete the machines of default/c1')
    world.apiserver.remove('AWSMachine', 'default/m1')
    await world.pass()
    expect(world.ownerId).not.toBe(before)
    expect(shared()?.status).toBe('False')
  })

  it('nothing is swept, and nothing untrue is said of it', async () => {
    bornAt('2026-01-01T00:00:00Z')
    await world.passes(11 * minutes)
    const orphan = await world.orphan('gone')
    putOther('2026-01-02T00:00:00Z')
    await world.passes(60 * minutes)
    expect(world.cloud.instances.get(orphan)?.state).toBe('running')
    expect(world.condition('OrphansFound')).toMatchObject({ status: 'True', reason: 'OrphansFound' })
    world.apiserver.remove('Cluster', 'other/c1')
    await world.passes(1 * minutes)
    expect(shared()?.status).toBe('False')
    expect(world.cloud.instances.get(orphan)?.state).toBe('terminating')
  })
})
