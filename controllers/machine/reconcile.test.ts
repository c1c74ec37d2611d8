import { beforeEach, expect, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { kind, MachineWorld } from '../../test/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = new MachineWorld()
  await world.pass()
  await world.listed()
})

it('neither creates nor ends anything, on delete too, and says so', async () => {
  await world.pass()
  const cluster = world.apiserver.get('Cluster', 'default/c1')
  world.apiserver.put('Cluster', { ...cluster, spec: { ...(cluster?.['spec'] as object), paused: true } } as never)
  world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:01:00Z')
  await world.pass()
  expect(world.cloud.count('terminate')).toBe(0)
  expect(findCondition(world.machine?.status?.conditions, 'Paused')).toMatchObject({
    status: 'True',
    reason: 'Paused',
  })
})

it('says nothing of a machine that was made under the same name since', async () => {
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  world.cacheShows(world.machine)
  const { name, namespace } = world.machine?.metadata ?? { name: '' }
  world.apiserver.put(kind, { metadata: { name, namespace, uid: 'u2' }, spec: {} } as never)
  world.cloud.set(id, 'terminated')
  await world.listed()
  await world.pass()
  expect(world.machine?.metadata.uid).toBe('u2')
  expect(world.machine?.status).toBeUndefined()
})
