import { fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { annotations } from '../../../api/labels.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

/** A machine with a running instance, in whose attempt somebody then changes something. */
async function forged(change: object, deletionTimestamp?: string): Promise<MachineWorld> {
  const world = new MachineWorld()
  await world.pass()
  await world.listed()
  await world.pass()
  const { metadata = { name: '' }, ...rest } = world.machine ?? {}
  const attempt = JSON.stringify({ ...world.attempt, ...change })
  const written = { ...metadata, annotations: { [annotations.attempt]: attempt } }
  world.apiserver.put(kind, {
    ...rest,
    metadata: { ...written, ...(deletionTimestamp ? { deletionTimestamp } : {}) },
  })
  await world.restart()
  world.followed.length = 0
  world.cloud.calls.length = 0
  return world
}

const home = fakeScope

const forgeries: [what: string, change: object, says: string][] = [
  [
    'another region',
    { scope: { ...home, region: 'eu-west-1' } },
    'scope.region is eu-west-1, but AWSCluster c1 has us-east-1',
  ],
  ['another cloud', { scope: { ...home, cloud: 'gcp' } }, 'scope.cloud is not aws'],
  ['no region at all', { scope: { ...home, region: 'x@127.0.0.1:9/' } }, 'scope.region is not a valid name in aws'],
  [
    'a part that this cloud has not',
    { scope: { ...home, within: 'group' } },
    'scope.within is not a valid name in aws',
  ],
  [
    'a zone that is a path',
    { at: { subnet: 'subnet-a', zone: 'a/instances/b' } },
    'at.zone is not a valid name in aws',
  ],
  ['a subnet that is a path', { at: { subnet: 'a/../b', zone: '' } }, 'at.subnet is not a valid name in aws'],
  ['a handle that is a path', { handle: 'i-1/../i-2' }, 'handle is not a valid name in aws'],
  ['a full subnet that is a path', { exclude: ['a/b'] }, 'exclude is not a valid name in aws'],
]

it.each(forgeries)(
  'an attempt that names %s is followed nowhere, and the machine says why',
  async (_, change, says) => {
    const world = await forged(change)
    await world.pass()
    expect(world.followed).toEqual([])
    expect(world.cloud.count('create')).toBe(0)
    expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'OwnershipConflict' })
    expect(world.ready?.message).toContain(says)
  },
)

it.each(forgeries)('who is deleted with an attempt that names %s keeps its finalizer', async (_, change, says) => {
  const world = await forged(change, '2026-01-01T00:00:00Z')
  await world.pass()
  expect(world.followed).toEqual([])
  expect(world.cloud.count('terminate')).toBe(0)
  expect(world.machine?.metadata.finalizers).toHaveLength(1)
  expect(world.ready?.message).toContain(says)
})

it('an attempt with invented credentials is none', async () => {
  const world = await forged({ scope: { ...home, identity: 'id1' } })
  await world.pass()
  expect(world.followed.map(({ identity }) => identity)).not.toContain('id1')
  expect(world.cloud.count('create')).toBe(0)
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'OwnershipConflict' })
})

it('what is frozen in the attempt counts when the infrastructure cluster is gone: a delete finds its instance', async () => {
  const world = await forged({}, '2026-01-01T00:00:00Z')
  world.apiserver.objects.delete('AWSCluster default/c1')
  world.apiserver.objects.delete('Cluster default/c1')
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.cloud.count('terminate')).toBeGreaterThan(0)
  expect(world.followed.every((scope) => isDeepStrictEqual(scope, home))).toBe(true)
})
