import { afterEach, expect, it } from 'vitest'
import { annotations, finalizers } from '../../api/labels.ts'
import { ClusterWorld } from '../../test/support/worlds/cluster-world.ts'

const worlds: ClusterWorld[] = []
const start = async (): Promise<ClusterWorld> => {
  const world = await ClusterWorld.start()
  world.restart()
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world[Symbol.asyncDispose]()
})

it('in a namespace that may use other accounts no poller begins, no owner id is minted, and the condition says why', async () => {
  const world = await start()
  world.accounts = new Map([['default', ['gcp/project-a']]])
  await world.pass()
  expect(world.used).toEqual([])
  expect(world.ownerId).toBe('')
  expect(world.object?.metadata.finalizers ?? []).toEqual([])
  expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'AccountNotAllowed' })
  expect(world.condition('Ready')?.message).toContain('Namespace default may use gcp/project-a, not aws')
  expect(world.object?.status?.initialization?.provisioned).toBeUndefined()
})

it('without an account that is pinned the account of the credentials is meant', async () => {
  const world = await start()
  world.accounts = new Map([['default', [`aws/${world.cloud.account}`]]])
  await world.pass()
  await world.pass()
  expect(world.ownerId).not.toBe('')
  expect(world.condition('Ready')?.reason).not.toBe('AccountNotAllowed')
})

it('who has launched nothing there may go, and who has keeps its finalizer', async () => {
  const world = await start()
  await world.pass()
  await world.pass()
  expect(world.object?.metadata.annotations?.[annotations.ownerId]).toBeDefined()
  world.accounts = new Map()
  world.used.length = 0
  world.apiserver.markDeleted('AWSCluster', 'default/c1', '2026-01-01T00:00:00Z')
  await world.pass()
  expect(world.used).toEqual([])
  expect(world.object?.metadata.finalizers).toEqual([finalizers.cluster])
  expect(world.condition('Ready')?.reason).toBe('AccountNotAllowed')

  const fresh = await start()
  fresh.accounts = new Map()
  fresh.apiserver.markDeleted('AWSCluster', 'default/c1', '2026-01-01T00:00:00Z')
  await fresh.pass()
  expect(fresh.object).toBeUndefined()
})
