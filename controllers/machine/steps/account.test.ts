import { expect, it } from 'vitest'
import { annotations } from '../../../api/labels.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

const theirs = '999988887777'

async function pass(world: MachineWorld, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    await world.listed()
    await world.pass()
  }
}

/** A machine that has served for ten minutes. */
async function serving(world = new MachineWorld()): Promise<MachineWorld> {
  await pass(world, 2)
  world.cloud.set(world.attempt?.handle ?? '', 'running')
  await pass(world, 40)
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
  return world
}

/** The manager is started again with other credentials; answers with what puts the right ones back. */
async function swapCredentials(world: MachineWorld): Promise<() => Promise<void>> {
  const ours = new Map(world.cloud.instances)
  world.cloud.instances.clear()
  world.cloud.account = theirs
  world.cloud.calls.length = 0
  await world.restart()
  return async () => {
    for (const [id, instance] of ours) world.cloud.instances.set(id, instance)
    world.cloud.account = fakeScope.account
    await world.restart()
  }
}

function annotate(world: MachineWorld, what: string, key: string, value: Record<string, string>): void {
  const object = world.apiserver.get(what, key)
  if (object) world.apiserver.put(what, { ...object, metadata: { ...object.metadata, annotations: value } })
}

it('with credentials of another account nothing is gone, and nothing is off', async () => {
  const world = await serving()
  const swapBack = await swapCredentials(world)
  await pass(world, 12)
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
  expect(world.machine?.status?.instanceState).toBe('running')
  expect(world.cloud.count('create')).toBe(0)
  await swapBack()
  await pass(world, 2)
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
})

it('with credentials of another account a deleted machine keeps its finalizer, and says which two accounts', async () => {
  const world = await serving()
  const swapBack = await swapCredentials(world)
  world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:00:00Z')
  await pass(world, 40)
  expect(world.machine?.metadata.finalizers).toHaveLength(1)
  expect(world.ready?.message).toContain(theirs)
  expect(world.ready?.message).toContain(fakeScope.account)
  await swapBack()
  const [instance] = world.cloud.instances.values()
  await pass(world, 2)
  world.cloud.set(instance?.id ?? '', 'terminated')
  await pass(world, 2)
  expect(world.machine).toBeUndefined()
})

it('with credentials of another account nothing is launched, and the machine says which two accounts', async () => {
  const world = new MachineWorld()
  world.cloud.account = theirs
  await pass(world, 5)
  expect(world.cloud.count('create')).toBe(0)
  expect(world.attempt).toBeUndefined()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'CredentialsDenied' })
  expect(world.ready?.message).toContain(theirs)
  expect(world.ready?.message).toContain(fakeScope.account)
})

it('keeps the account in the attempt from its first write on', async () => {
  const world = new MachineWorld()
  await pass(world, 2)
  expect(world.attempt?.scope).toEqual(fakeScope)
})

it('where the account is not known before, the answer to the create tells it', async () => {
  const world = new MachineWorld()
  annotate(world, 'AWSCluster', 'default/c1', {})
  await pass(world, 2)
  expect(world.attempt?.scope).toEqual(fakeScope)
})

it('a machine of a version that kept no account is not gone while none is pinned, and is ended once one is', async () => {
  const world = await serving()
  const { account: _, ...scope } = fakeScope
  annotate(world, kind, 'default/m1', { [annotations.attempt]: JSON.stringify({ ...world.attempt, scope }) })
  annotate(world, 'AWSCluster', 'default/c1', {})
  const swapBack = await swapCredentials(world)
  await pass(world, 20)
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
  await swapBack()
  annotate(world, 'AWSCluster', 'default/c1', { [annotations.account]: fakeScope.account })
  world.cloud.instances.clear()
  await pass(world, 3)
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InstanceGone' })
})

it('nothing is launched beside a machine of which nobody knows the account', async () => {
  const world = new MachineWorld()
  annotate(world, 'AWSCluster', 'default/c1', {})
  const { account: _, ...scope } = fakeScope
  const attempt = { for: 'default/m0', owner: 'owner-1', n: 1, token: 't', scope, startedAt: 'x', handle: 'i-0' }
  world.apiserver.put(kind, {
    metadata: {
      namespace: 'default',
      name: 'm0',
      labels: { 'cluster.x-k8s.io/cluster-name': 'c1' },
      annotations: { [annotations.attempt]: JSON.stringify(attempt) },
    },
    spec: {},
  } as never)
  await pass(world, 5)
  expect(world.cloud.count('create')).toBe(0)
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'CredentialsDenied' })
})

it('an attempt that only the account has refused is taken back, so that it binds nobody to that account', async () => {
  const world = new MachineWorld()
  const create = world.cloud.create.bind(world.cloud)
  world.cloud.create = (want, ctx) => {
    world.cloud.account = theirs
    return create(want, ctx)
  }
  await pass(world, 2)
  expect(world.cloud.count('create')).toBe(1)
  expect(world.attempt).toBeUndefined()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'CredentialsDenied' })
  world.cloud.create = create
  world.cloud.account = fakeScope.account
  await world.restart()
  await pass(world, 2)
  expect(world.attempt?.handle).toBeDefined()
  expect(world.cloud.instances.size).toBe(1)
})

it('an attempt of which an instance may have come is kept, whatever the account refuses then', async () => {
  const world = new MachineWorld()
  const error = new CloudError('ambiguous', { code: 'Lost', message: 'The answer is lost.' })
  world.cloud.createFaults.push({ when: 'after', error })
  await world.pass()
  await world.pass()
  const { token } = world.attempt ?? {}
  expect(token).toBeDefined()
  world.cloud.invisible.add([...world.cloud.instances.keys()][0] ?? '')
  world.cloud.account = theirs
  await pass(world, 30)
  expect(world.attempt?.token).toBe(token)
})
