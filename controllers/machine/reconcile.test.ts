import { beforeEach, expect, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { core } from '../../api/labels.ts'
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

it('ends nothing that clusterctl has moved away, though its watch has not yet shown the pause', async () => {
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  world.cloud.set(id, 'running')
  await world.listed()
  await world.pass()
  const metadata = { ...world.machine?.metadata, annotations: { [core.deleteForMove]: '' } }
  world.apiserver.put(kind, { ...world.machine, metadata } as never)
  world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:01:00Z')
  const writes = world.apiserver.writes.length
  await world.pass()
  await world.listed()
  await world.pass()
  expect([world.cloud.count('terminate'), world.apiserver.writes.length - writes]).toEqual([0, 0])
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
