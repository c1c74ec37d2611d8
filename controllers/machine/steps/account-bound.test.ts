import { expect, it } from 'vitest'
import { annotations } from '../../../api/labels.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

const elsewhere = new Map([['default', ['aws/999988887777']]])

/** A machine of a namespace that may use another account. */
function bound(): MachineWorld {
  const world = new MachineWorld()
  world.accounts = elsewhere
  const cluster = world.apiserver.get('AWSCluster', 'default/c1')
  const pinned = { ...cluster?.metadata, annotations: { [annotations.account]: '111122223333' } }
  world.apiserver.put('AWSCluster', { ...cluster, metadata: pinned } as never)
  return world
}

it('in a namespace that may use other accounts nothing is launched, and the condition says so', async () => {
  const world = bound()
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.cloud.calls).toEqual([])
  expect(world.followed).toEqual([])
  expect(world.attempt).toBeUndefined()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'AccountNotAllowed' })
  expect(world.ready?.message).toContain('Namespace default may use aws/999988887777, not aws')
})

it('who has asked for nothing there may go', async () => {
  const world = bound()
  await world.pass()
  world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:01:00Z')
  await world.pass()
  expect(world.machine).toBeUndefined()
  expect(world.cloud.calls).toEqual([])
})

it('who has an instance there keeps its finalizer, and neither looks at it nor ends it', async () => {
  const world = new MachineWorld()
  await world.pass()
  await world.listed()
  await world.pass()
  await world.restart()
  world.accounts = elsewhere
  world.followed.length = 0
  world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:01:00Z')
  await world.pass()
  expect(world.machine?.metadata.finalizers).toHaveLength(1)
  expect(world.followed).toEqual([])
  expect(world.cloud.count('terminate')).toBe(0)
  expect(world.ready?.reason).toBe('AccountNotAllowed')
})

it('where Cluster and infrastructure cluster are gone the account in the attempt is what counts', async () => {
  const world = new MachineWorld()
  await world.pass()
  await world.listed()
  await world.pass()
  await world.restart()
  world.apiserver.objects.delete('AWSCluster default/c1')
  world.apiserver.objects.delete('Cluster default/c1')
  world.accounts = elsewhere
  world.followed.length = 0
  await world.pass()
  expect(world.followed).toEqual([])
  expect(world.ready?.reason).toBe('AccountNotAllowed')
})
