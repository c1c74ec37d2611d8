import { beforeEach, describe, expect, it } from 'vitest'
import { annotations, requests } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import { fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

const others = ['m2', 'm3', 'm4', 'm5', 'm6']

let world: MachineWorld
let id: string
beforeEach(async () => {
  world = new MachineWorld()
  await pass(2)
  id = world.attempt?.handle ?? ''
  world.cloud.set(id, 'running')
  await pass(40)
  for (const name of others) addServing(name)
  await pass()
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
})

async function pass(times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    await world.listed()
    await world.pass()
  }
}

/** Another machine of the cluster, which says of itself that its instance runs. */
function addServing(name: string, spec: object = {}): void {
  const handle = `i-${name}`
  const whose = { owner: 'owner-1', machine: `default/${name}`, token: `token-${name}` }
  const attempt = { for: whose.machine, ...whose, n: 1, scope: fakeScope, startedAt: 'x', handle }
  const running = world.cloud.instances.get(id)
  if (running) world.cloud.instances.set(handle, { ...running, id: handle, tag: tagOf(whose) })
  world.apiserver.put(kind, {
    apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
    kind,
    metadata: { namespace: 'default', name, annotations: { [annotations.attempt]: JSON.stringify(attempt) } },
    spec: { providerID: `aws:///us-east-1a/${handle}`, ...spec },
    status: { initialization: { provisioned: true }, instanceID: handle, instanceState: 'running' },
  } as never)
}

function change(name: string, how: (machine: InfraMachine) => Partial<InfraMachine>): void {
  const machine = world.apiserver.get(kind, `default/${name}`) as InfraMachine | undefined
  if (!machine) throw new Error(`There is no ${name}`)
  world.apiserver.put(kind, { ...machine, ...how(machine) })
}

function confirm(name: string): void {
  change(name, ({ metadata }) => ({
    metadata: { ...metadata, annotations: { ...metadata.annotations, [requests.confirmGone]: 'true' } },
  }))
}

it('many that vanish at once without a trace are not gone, and their machines say so', async () => {
  world.cloud.instances.clear()
  await pass(3)
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'AbsenceUnproven' })
  expect(world.ready?.message).toContain('6 of 6')
  expect(world.machine?.status?.instanceState).toBe('running')
})

describe('one whose end the cloud has shown', () => {
  it.each(['terminated', 'stopped'] as const)('has ended, though all are missing then: %s', async (state) => {
    world.cloud.set(id, state)
    await pass(2)
    const before = world.ready
    expect(before?.status).toBe('False')
    world.cloud.instances.clear()
    await pass(3)
    expect(world.ready).toMatchObject({ status: 'False', lastTransitionTime: before?.lastTransitionTime })
  })

  it('goes when it is deleted, though all are missing then', async () => {
    world.cloud.set(id, 'terminated')
    await pass(2)
    world.cloud.instances.clear()
    await world.restart()
    world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:00:00Z')
    await pass(12)
    expect(world.machine).toBeUndefined()
  })
})

it('what was alive the machines say and not an earlier list: a process that knows no list holds back as well', async () => {
  world.cloud.instances.clear()
  await world.restart()
  await pass(3)
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'AbsenceUnproven' })
})

it('all is well when they are shown again', async () => {
  const all = new Map(world.cloud.instances)
  world.cloud.instances.clear()
  await pass(3)
  for (const [key, instance] of all) world.cloud.instances.set(key, instance)
  await pass()
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
})

it('after an hour they are gone', async () => {
  world.cloud.instances.clear()
  await pass(3)
  expect(world.ready?.reason).toBe('AbsenceUnproven')
  await world.clock.advance(60 * 60_000)
  await pass(2)
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InstanceGone' })
})

it('what a person confirms is gone at once', async () => {
  world.cloud.instances.clear()
  await pass(3)
  confirm('m1')
  await pass(2)
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InstanceGone' })
})

it('two that vanish are gone, as ever', async () => {
  world.cloud.instances.delete(id)
  world.cloud.instances.delete('i-m2')
  await pass(2)
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InstanceGone' })
})

it('what is shown as ended has left its trace, however many they are', async () => {
  for (const handle of world.cloud.instances.keys()) world.cloud.set(handle, 'terminated')
  await pass(2)
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InstanceTerminated' })
})

it('those that the cloud deletes when it takes them back do not count, and are not held', async () => {
  for (const name of ['m1', ...others]) change(name, ({ spec }) => ({ spec: { ...spec, vanishes: true } }))
  world.cloud.instances.clear()
  await pass(2)
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InstanceGone' })
})

it('while many are missing a deleted machine keeps its finalizer, too, until they are shown or confirmed', async () => {
  world.cloud.instances.clear()
  world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:00:00Z')
  await pass(40)
  expect(world.machine?.metadata.finalizers).toHaveLength(1)
  expect(world.ready?.message).toContain('5 of 5')
  for (const name of others) confirm(name)
  await pass(40)
  expect(world.machine).toBeUndefined()
})

// Nobody looks after a machine that is paused, so it says for ever that its instance runs.
it('those that have been missing for over an hour hold up nobody else any more', async () => {
  const all = new Map(world.cloud.instances)
  for (const handle of [id, 'i-m2', 'i-m3', 'i-m4']) world.cloud.instances.delete(handle)
  await pass(3)
  expect(world.ready?.message).toContain('4 of 6')
  for (const [handle, instance] of all) if (handle === id) world.cloud.instances.set(handle, instance)
  await world.clock.advance(60 * 60_000)
  await pass(2)
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
  world.cloud.instances.delete(id)
  await pass(3)
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InstanceGone' })
})

it('the hour of one that is shown again in between begins anew', async () => {
  const all = new Map(world.cloud.instances)
  for (const handle of [id, 'i-m2', 'i-m3', 'i-m4']) world.cloud.instances.delete(handle)
  await pass(3)
  for (const [key, instance] of all) world.cloud.instances.set(key, instance)
  await world.clock.advance(60 * 60_000)
  await pass()
  world.cloud.instances.clear()
  await pass(3)
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'AbsenceUnproven' })
  expect(world.ready?.message).toContain('6 of 6')
})
