import { afterEach, beforeEach, expect, it } from 'vitest'
import { annotations, requests } from '../../api/labels.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { ClusterWorld } from '../../test/support/worlds/cluster-world.ts'

const minutes = 60_000
let world: ClusterWorld
beforeEach(async () => {
  world = await ClusterWorld.start()
  await world.pass()
})
afterEach(() => world[Symbol.asyncDispose]())

const remove = () => world.apiserver.markDeleted('AWSCluster', 'default/c1', '2026-01-01T00:00:00Z')

it('waits for the last machine, then for the last instance, then goes', async () => {
  const id = await world.launch('m1')
  remove()
  await world.pass()
  expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'WaitingForMachines' })
  world.apiserver.objects.delete('AWSMachine default/m1')
  await world.pass()
  expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'WaitingForInstances' })
  expect(world.condition('Ready')?.message).toContain(id)
  world.cloud.set(id, 'terminated')
  await world.pass()
  expect(world.object).toBeUndefined()
})

it('goes though its Cluster went first, and asks by the owner id that it kept', async () => {
  const id = await world.launch('m1', { machine: false })
  world.apiserver.objects.delete('Cluster default/c1')
  remove()
  await world.pass()
  expect(world.condition('Ready')).toMatchObject({ reason: 'WaitingForInstances' })
  world.cloud.set(id, 'terminated')
  await world.pass()
  expect(world.object).toBeUndefined()
})

it('goes at once where the account could never be listed: nothing can have been launched in it', async () => {
  const fresh = await ClusterWorld.start({ listFault: new CloudError('denied', { code: 'NoSuch', message: 'No.' }) })
  await using _ = fresh
  await fresh.pass()
  expect(fresh.ownerId).not.toBe('')
  fresh.apiserver.markDeleted('AWSCluster', 'default/c1', '2026-01-01T00:00:00Z')
  await fresh.pass()
  expect(fresh.object).toBeUndefined()
})

it('waits as before where the account can be listed no more', async () => {
  world.cloud.listFault = new CloudError('denied', { code: 'NoSuch', message: 'No.' })
  world.restart()
  await world.pass()
  remove()
  await world.pass(15_000)
  expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'WaitingForInstances' })
})

it('says what to do where nothing tells whose an empty list is, and goes when a person says that nothing is left', async () => {
  world.cloud.account = undefined
  world.restart()
  await world.pass(15_000)
  remove()
  await world.pass(15_000)
  expect(world.condition('Ready')).toMatchObject({ reason: 'WaitingForInstances' })
  expect(world.condition('Ready')?.message).toContain(requests.confirmGone)
  const { metadata, ...rest } = world.object as NonNullable<typeof world.object>
  const confirmed = { ...metadata.annotations, [requests.confirmGone]: 'true' }
  world.apiserver.put('AWSCluster', { ...rest, metadata: { ...metadata, annotations: confirmed } })
  await world.pass(15_000)
  expect(world.object).toBeUndefined()
})

it('ends what no machine is left to end, as patiently as ever', async () => {
  const orphan = await world.orphan('lost')
  const others = await world.launch('others', { machine: false, owner: 'another' })
  await world.clock.advance(15_000)
  remove()
  await world.pass()
  await world.clock.advance(9 * minutes)
  await world.pass()
  expect(world.cloud.instances.get(orphan)?.state).toBe('running')
  expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'WaitingForInstances' })
  await world.clock.advance(1 * minutes)
  await world.pass()
  expect(world.cloud.instances.get(orphan)?.state).toBe('terminating')
  expect(world.cloud.instances.get(others)?.state).toBe('running')
  world.cloud.set(orphan, 'terminated')
  await world.pass()
  expect(world.object).toBeUndefined()
})

it('says so where many are left, and ends none', async () => {
  const orphans: string[] = []
  for (const name of ['a', 'b', 'c']) orphans.push(await world.orphan(name))
  await world.clock.advance(15_000)
  remove()
  await world.pass()
  await world.clock.advance(30 * minutes)
  await world.pass()
  expect(world.condition('OrphansFound')).toMatchObject({ status: 'True' })
  expect(orphans.map((id) => world.cloud.instances.get(id)?.state)).toEqual(['running', 'running', 'running'])
})

it('says why when the cloud does not tell', async () => {
  world.cloud.list = () => {
    throw new CloudError('denied', { code: 'AuthFailure', message: 'Not you.' })
  }
  remove()
  await world.pass()
  expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'WaitingForInstances' })
  expect(world.condition('Ready')?.message).toContain('. AuthFailure: Not you. ')
})

it('waits for its own where another Cluster has the same owner id, and not for what that one has', async () => {
  const own = await world.launch('m1', { machine: false })
  await world.launch('m1', { machine: false, namespace: 'other' })
  const copied = { [annotations.ownerId]: world.ownerId }
  world.apiserver.put('Cluster', {
    metadata: { namespace: 'other', name: 'c1', annotations: copied },
    spec: {},
  } as never)
  remove()
  await world.pass()
  expect(world.condition('Ready')?.message).toContain(own)
  world.cloud.set(own, 'terminated')
  await world.pass()
  expect(world.object).toBeUndefined()
})

it('uses no fleet any more when it is gone', async () => {
  expect(world.left).toEqual([])
  remove()
  await world.pass()
  await world.pass()
  expect(world.object).toBeUndefined()
  await world.pass()
  expect(world.left.at(-1)).toBe('default/c1')
})
