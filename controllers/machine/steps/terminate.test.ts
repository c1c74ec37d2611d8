import { beforeEach, expect, it } from 'vitest'
import { finalizers } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import { writesHeld } from '../../../providers/errors.ts'
import { refusal } from '../../../test/support/refusal.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
})

it('keeps the finalizer until the cloud says that the instance is gone', async () => {
  const id = await world.serves()
  world.remove()
  await world.pass()
  expect(world.machine?.metadata.finalizers).toEqual([finalizers.machine])
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
  await world.listed()
  await world.pass()
  expect(world.cloud.count('terminate')).toBe(1)
  world.cloud.set(id, 'terminated')
  await world.listed()
  await world.pass()
  expect(world.machine).toBeUndefined()
})

it('writes nothing to the object that has gone with its finalizer, and fails no pass for that', async () => {
  const id = await world.serves()
  world.remove()
  world.cloud.set(id, 'terminated')
  await world.listed()
  const last = { ...world.machine, metadata: { ...world.machine?.metadata, generation: 7 } } as InfraMachine
  world.apiserver.put(kind, last)
  const shown = world.machine
  expect(await world.pass()).toBe('done')
  expect(world.machine).toBeUndefined()
  world.cacheShows(shown)
  expect(await world.pass()).toBe('done')
})

it('remembers nothing of the Node of an instance that is gone', async () => {
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  const providerID = world.machine?.spec.providerID ?? ''
  world.remove()
  await world.pass()
  expect(world.forgotten).toEqual([])
  world.cloud.set(id, 'terminated')
  await world.listed()
  await world.pass()
  expect(world.machine).toBeUndefined()
  expect(world.forgotten).toEqual([providerID])
})

it('works with Machine, Cluster, AWSCluster and Secret missing', async () => {
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  for (const key of ['Machine default/m1', 'Cluster default/c1', 'AWSCluster default/c1', 'Secret default/boot']) {
    world.apiserver.objects.delete(key)
  }
  await world.restart()
  world.remove()
  await world.pass()
  world.cloud.set(id, 'terminated')
  await world.listed()
  await world.pass()
  expect(world.machine).toBeUndefined()
})

it('deleted before anything was asked for: gone at once, without a call', async () => {
  const calls = world.cloud.calls.length
  const { metadata } = world.machine ?? { metadata: { name: '' } }
  world.apiserver.put(kind, {
    ...world.machine,
    metadata: { ...metadata, finalizers: [finalizers.machine] },
  })
  world.remove()
  await world.pass()
  expect(world.machine).toBeUndefined()
  expect(world.cloud.calls.slice(calls).filter(({ call }) => call !== 'list')).toEqual([])
})

it('answer lost, then deleted while the instance is not visible yet: held until it can be ended', async () => {
  world.cloud.createFaults.push({ when: 'after', error: refusal('ambiguous', 'ECONNRESET') })
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  world.cloud.invisible.add(id)
  await world.restart()
  world.remove()
  await world.pass()
  expect(world.machine).toBeDefined()
  world.cloud.invisible.delete(id)
  await world.clock.advance(5_000)
  await world.pass()
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
  world.cloud.set(id, 'terminated')
  await world.listed()
  await world.pass()
  expect(world.machine).toBeUndefined()
})

it('answered with what is another’s: nothing of that is kept, and what came of the call is held on to', async () => {
  world.cloud.createFaults.push({ when: 'after', error: refusal('conflict', 'NotOurs') })
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  expect(world.attempt?.handle).toBeUndefined()
  expect(world.machine?.spec.providerID).toBeUndefined()
  world.cloud.invisible.add(id)
  world.remove()
  await world.pass()
  expect(world.machine).toBeDefined()
  world.cloud.invisible.delete(id)
  await world.clock.advance(5_000)
  await world.pass()
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
})

it('answer lost, but a list has shown what came of it: when that is gone, nothing more is waited for', async () => {
  world.cloud.createFaults.push({ when: 'after', error: refusal('ambiguous', 'ECONNRESET') })
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  await world.listed()
  world.remove()
  await world.pass()
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
  world.cloud.instances.delete(id)
  await world.listed()
  await world.pass()
  expect(world.machine).toBeUndefined()
})

it('nothing came of the call: let go of when it cannot arrive or be hidden any more', async () => {
  world.cloud.createFaults.push({ when: 'before', error: refusal('ambiguous', 'ETIMEDOUT') })
  await world.pass()
  world.remove()
  await world.pass()
  await world.clock.advance(119_000)
  await world.pass()
  expect(world.machine).toBeDefined()
  await world.clock.advance(2_000)
  await world.pass()
  expect(world.machine).toBeUndefined()
})

it('that cannot be ended yet is asked for until it can, though a late read lacks it meanwhile', async () => {
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  world.remove()
  const terminate = world.cloud.terminate.bind(world.cloud)
  world.cloud.terminate = () => Promise.resolve('later')
  expect(await world.pass()).toMatchObject({ reason: 'the cloud cannot end the instance yet' })
  world.cloud.terminate = terminate
  world.cloud.invisible.add(id)
  await world.clock.advance(2_000)
  await world.pass()
  expect(world.machine).toBeDefined()
  world.cloud.invisible.delete(id)
  await world.clock.advance(10_000)
  await world.pass()
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
})

it('never creates for a machine that is being deleted', async () => {
  world.remove()
  await world.pass()
  await world.pass()
  expect(world.cloud.count('create')).toBe(0)
})

it('ends nothing while writes to the cloud are held', async () => {
  await world.pass()
  world.remove()
  world.writesHeld = 'The lease is not ours for certain.'
  expect(await world.pass()).toMatchObject({ reason: 'The lease is not ours for certain.' })
  expect(world.cloud.count('terminate')).toBe(0)
  world.writesHeld = undefined
  await world.pass()
  expect(world.cloud.count('terminate')).toBe(1)
})

it('what we ourselves hold back at the last moment was refused by nobody: it goes on in a second', async () => {
  await world.pass()
  world.remove()
  const terminate = world.cloud.terminate.bind(world.cloud)
  world.cloud.terminate = () => Promise.reject(writesHeld('The lease is late.'))
  expect(await world.pass()).toMatchObject({ requeueAfterMs: 1_000, reason: 'The lease is late.' })
  expect(world.ready?.message).not.toContain('cannot be removed')
  world.cloud.terminate = terminate
  await world.clock.advance(1_000)
  await world.pass()
  expect(world.cloud.count('terminate')).toBe(1)
})

it('ends nothing that the API server itself does not call deleted: etcd may have been put back to an older copy', async () => {
  await world.pass()
  const before = world.machine
  world.remove()
  world.cacheShows(world.machine)
  world.apiserver.put(kind, before as never)
  expect(await world.pass()).toMatchObject({ reason: 'the object is no longer what the cache shows' })
  world.apiserver.put(kind, { ...before, metadata: { ...before?.metadata, uid: 'another' } } as never)
  expect(await world.pass()).toMatchObject({ reason: 'the object is no longer what the cache shows' })
  world.apiserver.objects.delete(`${kind} default/m1`)
  expect(await world.pass()).toMatchObject({ reason: 'the object is no longer what the cache shows' })
  expect(world.cloud.count('terminate')).toBe(0)
})

it('uses no fleet any more when it is gone', async () => {
  await world.pass()
  expect(world.left).toEqual([])
  world.apiserver.objects.delete(`${kind} default/m1`)
  await world.pass()
  expect(world.left).toEqual(['default/m1'])
})
