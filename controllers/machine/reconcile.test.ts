import { beforeEach, describe, expect, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { core } from '../../api/labels.ts'
import type { InfraMachine } from '../../api/machine.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { kind, MachineWorld } from '../../test/support/worlds/machine-world.ts'

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
  await world.serves()
  const metadata = { ...world.machine?.metadata, annotations: { [core.deleteForMove]: '' } }
  world.apiserver.put(kind, { ...world.machine, metadata } as never)
  world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:01:00Z')
  const writes = world.apiserver.writes.length
  await world.pass()
  await world.listed()
  await world.pass()
  expect([world.cloud.count('terminate'), world.apiserver.writes.length - writes]).toEqual([0, 0])
})

describe('a machine that clusterctl has moved here', () => {
  let moved: InfraMachine
  beforeEach(async () => {
    await world.pass()
    const [id = ''] = world.cloud.instances.keys()
    world.cloud.set(id, 'running')
    await world.listed()
    await world.pass()
    const { status: _, ...rest } = world.machine ?? ({} as InfraMachine)
    moved = { ...rest, metadata: { ...rest.metadata, uid: 'u2' } }
    world.apiserver.put(kind, moved)
    world.cloud.listFault = new CloudError('denied', { code: 'AuthFailure', message: 'Not you.' })
    await world.restart()
  })

  it.each([true, false])(
    'says what was bought before the cloud has told: core would take the label off its Node; paused: %s',
    async (paused) => {
      const cluster = world.apiserver.get('Cluster', 'default/c1')
      world.apiserver.put('Cluster', { ...cluster, spec: { ...(cluster?.['spec'] as object), paused } } as never)
      await world.pass()
      expect(world.machine?.status).toMatchObject({ interruptible: true })
      expect(world.machine?.status).not.toHaveProperty('initialization')
    },
  )

  it('is what it was, and nothing is bought or ended', async () => {
    world.cloud.listFault = undefined
    await world.pass()
    await world.listed()
    await world.pass()
    const { metadata, spec } = world.machine ?? moved
    expect([metadata.annotations, metadata.finalizers, spec]).toEqual([
      moved.metadata.annotations,
      moved.metadata.finalizers,
      moved.spec,
    ])
    expect(world.machine?.status).toMatchObject({ initialization: { provisioned: true }, interruptible: true })
    expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
    expect([world.cloud.count('create'), world.cloud.count('terminate')]).toEqual([1, 0])
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

it('a cache that stands still for long is not believed: nobody asks with a token that was given up', async () => {
  await world.listed()
  const full = new CloudError('subnet', { code: 'InsufficientFreeAddressesInSubnet', message: 'full' })
  world.cloud.createFaults.push({ when: 'before', error: full })
  let stale: typeof world.machine
  world.apiserver.onChange = () => {
    if (world.attempt?.n === 1) stale ??= world.machine
  }
  await world.pass()
  expect(world.attempt?.n).toBe(2)
  world.cacheShows(stale)
  for (let second = 0; second < 40; second++) {
    await world.clock.advance(1_000)
    await world.pass()
  }
  expect(world.cloud.instances.size).toBe(0)
  world.cacheShows(undefined)
  await world.clock.advance(1_000)
  await world.pass()
  expect([...world.cloud.instances.values()].map(({ tag }) => tag?.token)).toEqual(['token-2'])
})

it('leaves a new object to core until a Machine owns it, and tells after ten seconds that none does', async () => {
  const creationTimestamp = new Date(world.clock.now()).toISOString()
  const { metadata, ...rest } = world.machine ?? ({} as InfraMachine)
  const { ownerReferences: _, ...unowned } = metadata
  world.apiserver.put(kind, {
    ...rest,
    metadata: { ...unowned, uid: 'u3', finalizers: [], annotations: {}, creationTimestamp },
    status: {},
  } as never)
  const { length } = world.apiserver.writes
  expect(await world.pass()).toEqual({ requeueAfterMs: 10_000, reason: 'core sets the owner next' })
  expect(world.apiserver.writes).toHaveLength(length)
  await world.clock.advance(10_000)
  await world.pass()
  expect(world.ready).toMatchObject({ reason: 'WaitingForMachine' })
})
