import { afterEach, beforeEach, expect, it } from 'vitest'
import { annotations } from '../../api/labels.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { fakeScope } from '../../test/support/fakes/fake-cloud.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { ClusterWorld, ref } from '../../test/support/worlds/cluster-world.ts'

const minutes = 60_000
let world: ClusterWorld
beforeEach(async () => {
  world = await ClusterWorld.start()
  await world.pass()
})
afterEach(() => world[Symbol.asyncDispose]())

it('ends an instance that has had no machine for 5 minutes, and not in the first 10 of this process', async () => {
  const orphan = await world.orphan('gone')
  const kept = await world.launch('kept')
  await world.clock.advance(15_000)
  await world.pass(0)
  await world.pass(9 * minutes)
  expect(world.cloud.instances.get(orphan)?.state).toBe('running')
  await world.pass(1 * minutes)
  expect(world.cloud.instances.get(orphan)?.state).toBe('terminating')
  expect(world.cloud.instances.get(kept)?.state).toBe('running')
  expect(world.events).toEqual([`Instance ${orphan} (gone) belonged to no machine. The manager terminated it.`])
})

it('gives a late orphan its 5 minutes', async () => {
  await world.pass(20 * minutes)
  const orphan = await world.orphan('gone')
  await world.pass(15_000)
  await world.pass(4 * minutes)
  expect(world.cloud.instances.get(orphan)?.state).toBe('running')
  await world.pass(1 * minutes)
  expect(world.cloud.instances.get(orphan)?.state).toBe('terminating')
})

it('ends nothing while a zone is silent, wherever that is', async () => {
  const orphan = await world.orphan('gone')
  await world.pass(15_000)
  world.cloud.silentZones.add('us-east-1z')
  await world.pass(60 * minutes)
  await world.pass(10 * minutes)
  expect(world.cloud.instances.get(orphan)?.state).toBe('running')
  world.cloud.silentZones.clear()
  await world.pass(1 * minutes)
  expect(world.cloud.instances.get(orphan)?.state).toBe('terminating')
})

it('believes the fresh list, not the cache: a machine that the cache does not show keeps its instance', async () => {
  const id = await world.launch('hidden')
  const shown = world.apiserver.cache<InfraMachine>('AWSMachine')
  world.restart({ infraMachines: { ...shown, list: () => [] } })
  await world.pass(15_000)
  await world.pass(30 * minutes)
  await world.pass(1 * minutes)
  expect(world.cloud.instances.get(id)?.state).toBe('running')
})

it('more than two of a few at once are left alone, and a person is told', async () => {
  for (const name of ['a', 'b', 'c']) await world.orphan(name)
  await world.pass(15_000)
  await world.pass(11 * minutes)
  expect([...world.cloud.instances.values()].map(({ state }) => state)).toEqual(['running', 'running', 'running'])
  expect(world.condition('OrphansFound')).toMatchObject({ status: 'True', reason: 'OrphansFound' })
  expect(world.condition('OrphansFound')?.message).toMatch(
    /3 of 3 instances belong to no machine: .*the manager terminates none/,
  )
})

/** The machine gets refused attempts, each of which has left an interface. Returns the ids of those. */
async function leaves(name: string, left: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const token of left) {
    const whose = { owner: world.ownerId, machine: `default/${name}`, token, scope: fakeScope, clusterName: 'c1' }
    const { id } = await world.cloud.create({ ...whose, request: {}, userData: new Uint8Array() }, quietCtx())
    world.cloud.set(id, 'leftover')
    ids.push(id)
  }
  const { metadata, ...rest } = world.apiserver.get('AWSMachine', `default/${name}`) as KubeObject
  const attempt = JSON.parse(metadata.annotations?.[annotations.attempt] ?? '') as object
  const noted = { [annotations.attempt]: JSON.stringify({ ...attempt, left }) }
  world.apiserver.put('AWSMachine', { ...rest, metadata: { ...metadata, annotations: noted } })
  return ids
}

it('what refused attempts have left is for its machine to remove, and stops no sweep, however many they are', async () => {
  await world.launch('kept')
  const ids = await leaves('kept', ['token-1', 'token-2', 'token-3'])
  const orphan = await world.orphan('gone')
  await world.pass(15_000)
  await world.pass(11 * minutes)
  expect(world.cloud.instances.get(orphan)?.state).toBe('terminating')
  expect(ids.map((id) => world.cloud.instances.get(id)?.state)).toEqual(['leftover', 'leftover', 'leftover'])
})

it('what is left of a machine that is gone was made here: it is ended, and no other manager is suspected', async () => {
  await world.launch('gone')
  const [id = ''] = await leaves('gone', ['token-1'])
  await world.pass(15_000)
  world.apiserver.remove('AWSMachine', 'default/gone')
  await world.pass(15_000)
  await world.pass(11 * minutes)
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
  expect(world.condition('OwnerIdShared')?.status ?? 'False').toBe('False')
})

it('with --orphans=Report only tells', async () => {
  world.restart({ orphans: 'Report' })
  const orphan = await world.orphan('gone')
  await world.pass(15_000)
  await world.pass()
  await world.pass(11 * minutes)
  expect(world.cloud.instances.get(orphan)?.state).toBe('running')
  expect(world.condition('OrphansFound')).toMatchObject({ status: 'True' })
})

it('never looks at what another owner id has, though it be the same default/c1', async () => {
  const foreign = await world.launch('theirs', { machine: false, owner: 'another-management-cluster' })
  await world.pass(15_000)
  await world.pass(30 * minutes)
  expect(world.cloud.instances.get(foreign)?.state).toBe('running')
  expect(world.cloud.count('terminate')).toBe(0)
})

it('is silent while the Cluster is paused', async () => {
  const orphan = await world.orphan('gone')
  await world.pass(15_000)
  const cluster = world.apiserver.get('Cluster', 'default/c1')
  world.apiserver.put('Cluster', { ...cluster, spec: { infrastructureRef: ref, paused: true } } as never)
  await world.pass(30 * minutes)
  await world.pass(1 * minutes)
  expect(world.cloud.instances.get(orphan)?.state).toBe('running')
})

it('does nothing for a Cluster whose owner id another one has too', async () => {
  const orphan = await world.orphan('gone')
  const copied = { [annotations.ownerId]: world.ownerId }
  world.apiserver.put('Cluster', {
    metadata: { namespace: 'other', name: 'c1', annotations: copied },
    spec: {},
  } as never)
  await world.pass(15_000)
  await world.pass(30 * minutes)
  expect(world.cloud.instances.get(orphan)?.state).toBe('running')
})

it('costs no list of its own while nothing is suspect', async () => {
  await world.launch('kept')
  await world.pass(15_000)
  await world.clock.advance(30 * minutes)
  const lists = world.cloud.count('list')
  await world.pass()
  expect(world.cloud.count('list')).toBe(lists)
})

it('says so when the cloud refuses to end one, and asks again with growing pauses, whatever wakes it', async () => {
  const orphan = await world.orphan('gone')
  const terminate = world.cloud.terminate.bind(world.cloud)
  let asked = 0
  world.cloud.terminate = () => {
    asked++
    throw new CloudError('denied', { code: 'UnauthorizedOperation', message: 'Not you.' })
  }
  await world.pass(15_000)
  await world.pass(11 * minutes)
  for (let wakes = 0; wakes < 5; wakes++) await world.pass()
  expect(asked).toBe(1)
  expect(world.condition('OrphansFound')).toMatchObject({ status: 'True', reason: 'OrphansFound' })
  expect(world.condition('OrphansFound')?.message).toContain(
    `${orphan} belongs to no machine and cannot be terminated yet`,
  )
  expect(world.condition('OrphansFound')?.message).toContain('. UnauthorizedOperation: Not you. ')
  expect(world.events).toEqual([])
  await world.pass(1_000)
  expect(asked).toBe(2)

  world.cloud.terminate = terminate
  await world.pass(2_000)
  expect(world.cloud.instances.get(orphan)?.state).toBe('terminating')
  await world.pass(15_000)
  expect(world.condition('OrphansFound')).toMatchObject({ status: 'False', reason: 'NoOrphans' })
})

// spec.providerID is written by whoever may write infra machines in a namespace of their own.
it('nothing that stands in another namespace claims an instance of this cluster', async () => {
  const orphan = await world.orphan('gone')
  const claim = { namespace: 'elsewhere', name: 'x' }
  world.apiserver.put('AWSMachine', { metadata: claim, spec: { providerID: `aws:///us-east-1a/${orphan}` } } as never)
  await world.pass(15_000)
  await world.pass(11 * minutes)
  expect(world.cloud.instances.get(orphan)?.state).toBe('terminating')
})
