import { afterEach, beforeEach, expect, it } from 'vitest'
import { annotations } from '../../api/labels.ts'
import { ClusterWorld } from '../../test/support/worlds/cluster-world.ts'
import { fakeScope } from '../../test/support/fakes/fake-cloud.ts'

const theirs = '999988887777'

let world: ClusterWorld
beforeEach(async () => {
  world = await ClusterWorld.start()
})
afterEach(() => world[Symbol.asyncDispose]())

const pinned = () => world.object?.metadata.annotations?.[annotations.account]

/** As a version left it that pinned no account. */
function unpin(): void {
  const { object } = world
  if (!object) throw new Error('There is no AWSCluster')
  const { [annotations.account]: _, ...others } = object.metadata.annotations ?? {}
  world.apiserver.put('AWSCluster', { ...object, metadata: { ...object.metadata, annotations: others } })
}

/** A machine with an instance, whose attempt does not tell the account. */
async function launchUnknown(name: string): Promise<void> {
  await world.launch(name)
  const machine = world.apiserver.get('AWSMachine', `default/${name}`)
  if (!machine) throw new Error('There is no machine')
  const attempt = JSON.parse(machine.metadata.annotations?.[annotations.attempt] ?? '') as { scope: object }
  const { account: _, ...scope } = fakeScope
  const written = { [annotations.attempt]: JSON.stringify({ ...attempt, scope, handle: 'i-1' }) }
  world.apiserver.put('AWSMachine', { ...machine, metadata: { ...machine.metadata, annotations: written } })
}

it('a new cluster is in the account of the credentials, and says so from the first pass on', async () => {
  await world.pass()
  expect(pinned()).toBe(fakeScope.account)
})

it('where nobody says whose the credentials are, nothing is pinned before an instance is shown', async () => {
  world.cloud.account = undefined
  await world.pass()
  expect(pinned()).toBeUndefined()
  world.cloud.account = fakeScope.account
  await world.launch('m1')
  await world.pass(20_000)
  expect(pinned()).toBe(fakeScope.account)
})

it('an update under credentials of another account does not pin it: the cluster has instances that they do not show', async () => {
  await world.pass()
  await launchUnknown('m1')
  unpin()
  const ours = new Map(world.cloud.instances)
  world.cloud.instances.clear()
  world.cloud.account = theirs
  world.restart()
  await world.pass(20_000)
  await world.pass(20_000)
  expect(pinned()).toBeUndefined()
  expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'AccountUnknown' })
  for (const [id, instance] of ours) world.cloud.instances.set(id, instance)
  world.cloud.account = fakeScope.account
  await world.pass(60_000)
  await world.pass(60_000)
  expect(pinned()).toBe(fakeScope.account)
  expect(world.condition('Ready')).toMatchObject({ status: 'True', reason: 'Provisioned' })
})

it('credentials of another account are denied with both accounts in words, within one poll, and nothing is pinned anew', async () => {
  await world.pass()
  await world.launch('m1')
  world.cloud.account = theirs
  world.restart()
  await world.pass(15_000)
  expect(pinned()).toBe(fakeScope.account)
  expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'CredentialsDenied' })
  expect(world.condition('Ready')?.message).toContain(theirs)
  expect(world.condition('Ready')?.message).toContain(fakeScope.account)
  expect(world.cloud.count('terminate')).toBe(0)
  world.cloud.account = fakeScope.account
  await world.pass(60_000)
  expect(world.condition('Ready')).toMatchObject({ status: 'True', reason: 'Provisioned' })
})

it('a cluster without instances goes along to the account of new credentials', async () => {
  await world.pass()
  world.cloud.account = theirs
  world.restart()
  await world.pass(15_000)
  expect(pinned()).toBe(theirs)
  await world.pass(15_000)
  expect(world.condition('Ready')).toMatchObject({ status: 'True', reason: 'Provisioned' })
})

it('a cluster whose instance the last list showed stays in its account, though no machine speaks of that one', async () => {
  await world.pass()
  await world.launch('m1')
  await world.pass(15_000)
  world.apiserver.remove('AWSMachine', 'default/m1')
  world.cloud.account = theirs
  await world.pass(15_000)
  await world.pass(15_000)
  expect(pinned()).toBe(fakeScope.account)
  expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'CredentialsDenied' })
})

it('what is no account in the annotation pins nothing', async () => {
  const { object } = world
  if (!object) throw new Error('There is no AWSCluster')
  const forged = { [annotations.account]: '../../x' }
  world.apiserver.put('AWSCluster', { ...object, metadata: { ...object.metadata, annotations: forged } })
  await world.pass()
  expect(pinned()).toBe(fakeScope.account)
})
