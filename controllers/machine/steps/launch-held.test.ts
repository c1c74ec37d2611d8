import { beforeEach, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import { annotations, core } from '../../../api/labels.ts'
import type { ObjectMeta } from '../../../api/meta.ts'
import { readBackoff } from '../../../api/rules/backoff-annotation.ts'
import { termsOf } from '../../../api/rules/policy.ts'
import { scopeKey } from '../../../api/scope.ts'
import { fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

const cluster = 'default/c1'
const waiter = { cluster, policyKey: 'no policy' }
const group = `pool ${scopeKey(fakeScope)} Spot:m5.large:us-east-1a`
const terms = termsOf()
const pauseMs = 30_000

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
  own()
})

/** Of a MachineDeployment, and made now. */
function own(more: Partial<ObjectMeta> = {}): void {
  const { metadata, ...rest } = world.apiserver.get('Machine', 'default/m1') as never as { metadata: ObjectMeta }
  const labels = { [core.deploymentName]: 'md' }
  const creationTimestamp = rfc3339(world.clock.now())
  world.apiserver.put('Machine', { ...rest, metadata: { ...metadata, creationTimestamp, labels, ...more } })
}

/** Another machine of the Cluster was refused a moment ago. */
async function refusedToAnother(): Promise<void> {
  await world.memory.load(cluster, () => Promise.resolve(new Map()))
  world.memory.tell(waiter, { group, at: world.clock.now(), terms })
}

const creates = () => world.cloud.count('create')
const groupOf = () => world.memory.backoffOf(cluster).get('no policy')?.get(group)

it('a machine asks for nothing while its pool is in a pause, says so, and asks at its end', async () => {
  await refusedToAnother()
  expect(await world.pass()).toMatchObject({ requeueAfterMs: pauseMs })
  expect([creates(), world.attempt]).toEqual([0, undefined])
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'CapacityBackoff' })
  expect(world.ready?.message).toBe(
    'm5.large spot in us-east-1a was refused to another Machine. This one requests it when its turn comes, at 00:30:15 UTC at the latest.',
  )
  await world.clock.advance(pauseMs - 1_000)
  await world.pass()
  expect([creates(), world.plans], 'a wait costs no plan').toEqual([0, 1])
  await world.clock.advance(1_000)
  await world.pass()
  expect(creates()).toBe(1)
})

it('its refusal is told at once, and that of a machine whose time is over lengthens no pause', async () => {
  world.cloud.createFaults.push({ when: 'before', error: capacity() })
  await world.pass()
  expect(groupOf()).toEqual({ failures: 1, failedAt: world.clock.now() })
  world.memory.tell(waiter, { group, at: world.clock.now() + 5_000, terms })
  expect(groupOf()).toEqual({ failures: 1, failedAt: world.clock.now() })
})

it('asks regardless when its time is over, though the pause lasts', async () => {
  await refusedToAnother()
  await world.pass()
  await world.clock.advance(terms.maxMs - 1_000)
  world.memory.tell(waiter, { group, at: world.clock.now(), terms })
  await world.pass()
  expect(creates()).toBe(0)
  await world.clock.advance(1_000)
  await world.pass()
  expect(creates()).toBe(1)
})

it('its time begins with its bootstrap data', async () => {
  await refusedToAnother()
  await world.clock.advance(60_000)
  const { metadata, ...rest } = world.apiserver.get('Machine', 'default/m1') as never as { metadata: ObjectMeta }
  const conditions = [{ type: 'BootstrapConfigReady', status: 'True', lastTransitionTime: rfc3339(world.clock.now()) }]
  world.apiserver.put('Machine', { ...rest, metadata, status: { conditions } } as never)
  world.memory.tell(waiter, { group, at: world.clock.now(), terms })
  await world.pass()
  expect(world.ready?.message).toContain('at 00:31:15 UTC at the latest')
})

it.each([
  ['its class and size', 'standard 2', 0],
  ['a smaller size of its class', 'standard 1', 0],
  ['a larger size of its class', 'standard 4', 1],
  ['another class', 'g 2', 1],
])('a quota of %s: %s, and it makes %i calls', async (_, quota, calls) => {
  await world.memory.load(cluster, () => Promise.resolve(new Map()))
  world.memory.tell(waiter, { group: `quota ${scopeKey(fakeScope)} Spot ${quota}`, at: world.clock.now(), terms })
  await world.pass()
  expect(creates()).toBe(calls)
})

it('a control plane machine does not wait, because nothing gives it a turn', async () => {
  own({ labels: { [core.controlPlane]: '' } })
  await refusedToAnother()
  await world.pass()
  expect(creates()).toBe(1)
})

it('what is refused while it waits in line holds it back before anything is sent; it keeps its token', async () => {
  let give = () => {}
  world.cloud.turn = new Promise((resolve) => (give = resolve))
  const { passed } = await world.passing()
  const token = world.attempt?.token
  expect(token).toBeDefined()
  await refusedToAnother()
  give()
  expect(await passed).toMatchObject({ requeueAfterMs: pauseMs })
  expect([creates(), world.ready?.reason]).toEqual([0, 'CapacityBackoff'])
  await world.clock.advance(pauseMs)
  await world.pass()
  expect([creates(), world.attempt?.token]).toEqual([1, token])
  expect(world.attempt?.startedAt, 'its time counts from its turn').toBe(rfc3339(world.clock.now()))
})

it('another process finds the pause in the annotation, and asks no closed pool early', async () => {
  const text = JSON.stringify({ 'no policy': { [group]: { failures: 3, failedAt: rfc3339(world.clock.now()) } } })
  expect(readBackoff(text).size).toBe(1)
  const infra = world.apiserver.get('AWSCluster', 'default/c1') as never as { metadata: ObjectMeta }
  const noted = { ...infra.metadata.annotations, [annotations.backoff]: text }
  world.apiserver.put('AWSCluster', { ...infra, metadata: { ...infra.metadata, annotations: noted } })
  await world.pass()
  expect([creates(), world.ready?.reason]).toEqual([0, 'CapacityBackoff'])
})

it('a claim whose write fails ends with it, so that the next machine may try', async () => {
  await refusedToAnother()
  await world.clock.advance(pauseMs)
  world.apiserver.beforeWrite = () => {
    throw new Error('cut off')
  }
  await world.pass()
  world.apiserver.beforeWrite = () => {}
  expect(world.launches.factsOf('default/m1')).toBeUndefined()
  await world.pass()
  expect(world.launches.factsOf('default/m1')).toMatchObject({ is: 'claimed' })
  world.apiserver.remove(kind, 'default/m1')
  await world.pass()
  expect(world.launches.factsOf('default/m1')).toBeUndefined()
})

function capacity(): CloudError {
  return new CloudError('capacity', { code: 'InsufficientInstanceCapacity', message: 'None.' })
}
