import { beforeEach, expect, it } from 'vitest'
import type { Attempt } from '../../../api/attempt.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import { core } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { ObjectMeta } from '../../../api/meta.ts'
import { annotations } from '../../../api/labels.ts'
import { termsOf } from '../../../api/rules/policy.ts'
import { scopeKey } from '../../../api/scope.ts'
import { fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { descending } from '../../../test/support/worlds/descending.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
  const { metadata, ...rest } = world.apiserver.get('Machine', 'default/m1') as never as { metadata: ObjectMeta }
  const creationTimestamp = rfc3339(world.clock.now())
  world.apiserver.put('Machine', {
    ...rest,
    metadata: { ...metadata, creationTimestamp, labels: { [core.deploymentName]: 'md' } },
  })
  fallsBackTo({ instanceTypes: ['m5a.large'] }, { capacityType: 'OnDemand' })
})

function fallsBackTo(...fallback: object[]): void {
  world.apiserver.put(kind, { ...(world.machine as InfraMachine), spec: { fallback } } as never)
}

const { refuse, asked, tokens, passes } = descending(() => world)

it('after a refusal it asks for the next rung at once, each with a token of its own, in one write', async () => {
  refuse('capacity', 2)
  await passes()
  expect(asked()).toEqual(['Spot m5.large', 'Spot m5a.large', 'OnDemand m5.large'])
  expect(tokens().size).toBe(3)
  const written = world.apiserver.writes.flatMap(({ patch }) => {
    const text = (patch as { metadata?: ObjectMeta }).metadata?.annotations?.[annotations.attempt]
    return text === undefined ? [] : [JSON.parse(text) as Attempt]
  })
  const ends = written.map(({ n, refused, handle }) => [n, refused === undefined, handle !== undefined])
  expect(ends, 'each ends in the write that begins the next').toEqual([
    [1, true, false],
    [2, true, false],
    [3, true, false],
    [3, true, true],
  ])
  expect(world.cloud.instances.size).toBe(1)
  const at = rfc3339(world.clock.now())
  const common = { kind: 'capacity', code: 'InsufficientInstanceCapacity', at }
  expect(world.attempt).toMatchObject({
    n: 3,
    choice: { rung: 2, capacityType: 'OnDemand', instanceType: 'm5.large', zone: 'us-east-1a', subnet: 'subnet-a' },
    tried: [
      { ...common, offering: 'Spot:m5.large:us-east-1a', rung: 0 },
      { ...common, offering: 'Spot:m5a.large:us-east-1a', rung: 1 },
    ],
    triedCount: 2,
    firstRefusedAt: at,
  })
  expect(world.attempt?.refused).toBeUndefined()
})

it('goes on though core writes to the machine while the cloud refuses, and asks nothing twice', async () => {
  const create = world.cloud.create.bind(world.cloud)
  refuse('capacity')
  world.cloud.create = (want, ctx) => {
    const { metadata, ...rest } = world.machine as InfraMachine
    world.apiserver.put(kind, {
      ...rest,
      metadata: { ...metadata, labels: { ...metadata.labels, written: 'by-core' } },
    })
    return create(want, ctx)
  }
  await passes()
  await passes()
  expect(asked()).toEqual(['Spot m5.large', 'Spot m5a.large'])
  expect(tokens().size).toBe(2)
})

it('all closed: it waits in place, says so, makes no call, and asks again at the end of a pause', async () => {
  refuse('capacity', 3)
  expect(await passes()).toMatchObject({ requeueAfterMs: 30_000 })
  expect(asked()).toHaveLength(3)
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'CapacityBackoff' })
  const { plans } = world
  await world.clock.advance(29_000)
  await passes()
  expect([asked().length, world.plans], 'a wait costs no plan').toEqual([3, plans])
  await world.clock.advance(1_000)
  await passes()
  expect(asked().slice(3)).toEqual(['Spot m5.large'])
  expect(world.cloud.instances.size).toBe(1)
})

it('another process asks no closed pool early, and keeps rung and tries', async () => {
  refuse('capacity', 3)
  await passes()
  const { tried, triedCount } = world.attempt ?? {}
  await world.restart()
  await passes()
  expect([asked().length, world.ready?.reason]).toEqual([3, 'CapacityBackoff'])
  expect(world.attempt).toMatchObject({ tried, triedCount })
  await world.clock.advance(15_000)
  await passes()
  expect(asked()).toHaveLength(4)
  expect(world.attempt).toMatchObject({ n: 4, triedCount: 3 })
})

it('a rung with `after` waits for its time since the first refusal', async () => {
  fallsBackTo({ capacityType: 'OnDemand', after: '10s' })
  refuse('capacity', 1)
  expect(await passes()).toMatchObject({ requeueAfterMs: 10_000 })
  await world.clock.advance(10_000)
  await passes()
  expect(asked()).toEqual(['Spot m5.large', 'OnDemand m5.large'])
})

it('what another machine was refused a moment ago is passed over', async () => {
  await world.memory.load('default/c1', () => Promise.resolve(new Map()))
  const group = `pool ${scopeKey(fakeScope)} Spot:m5.large:us-east-1a`
  world.memory.tell(
    { cluster: 'default/c1', policyKey: 'no policy' },
    { group, at: world.clock.now(), terms: termsOf() },
  )
  await passes()
  expect(asked()).toEqual(['Spot m5a.large'])
  expect(world.attempt).toMatchObject({ n: 1, choice: { rung: 1 } })
})

it.each(['price', 'quota', 'invalid', 'reservation'] as const)('a refusal of kind %s leads on', async (refusedKind) => {
  fallsBackTo({ capacityType: 'OnDemand' })
  refuse(refusedKind)
  await passes()
  expect(asked()).toEqual(['Spot m5.large', 'OnDemand m5.large'])
})

it('fails only when every rung is invalid', async () => {
  refuse('invalid', 3, 'InvalidParameter')
  await passes()
  expect(asked()).toHaveLength(3)
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InvalidConfiguration' })
  await world.clock.advance(3_600_000)
  await passes()
  expect(asked()).toHaveLength(3)
})

it('a full subnet leads to the next one of the same offering', async () => {
  refuse('subnet', 2)
  await passes()
  expect(asked()).toEqual(['Spot m5.large', 'Spot m5.large', 'Spot m5.large'])
  expect(world.cloud.requests.map(({ place }) => place)).toEqual(['subnet-a', 'subnet-b', 'subnet-c'])
})

it('a call without an answer is repeated with its token and choice, also when its refusal comes', async () => {
  world.cloud.createFaults.push({
    when: 'after',
    error: new CloudError('ambiguous', { code: 'Timeout', message: '?' }),
  })
  await passes()
  const { attempt } = world
  await world.clock.advance(1_000)
  await passes()
  expect(tokens().size).toBe(1)
  expect(world.cloud.instances.size).toBe(1)
  expect(world.attempt).toMatchObject({ n: 1, choice: attempt?.choice })
})

it('no next token while an earlier call of this token may have made an instance', async () => {
  world.cloud.createFaults.push({
    when: 'before',
    error: new CloudError('ambiguous', { code: 'Timeout', message: '?' }),
  })
  refuse('capacity')
  await passes()
  await world.clock.advance(1_000)
  await passes()
  expect(asked()).toHaveLength(2)
  expect(tokens().size).toBe(1)
  expect(world.attempt?.refused).toMatchObject({ goesOn: true })
  await world.clock.advance(60_000)
  await passes()
  expect(tokens().size).toBe(1)
  await world.clock.advance(120_000)
  await passes()
  await world.clock.advance(20_000)
  await passes()
  expect(tokens().size).toBe(2)
  expect(asked().slice(2), 'its pause is over by then').toEqual(['Spot m5.large'])
})

it('after the yes what may be an instance is ended first, and then it goes on', async () => {
  world.cloud.accepting = true
  await passes()
  const [id = ''] = world.cloud.instances.keys()
  world.cloud.set(id, 'stopped', { failure: new CloudError('capacity', { code: 'OverCapacity', message: 'None.' }) })
  await world.listed()
  await passes()
  expect(asked()).toHaveLength(1)
  expect([world.cloud.count('terminate'), world.ready?.status]).toEqual([1, 'Unknown'])
  world.cloud.set(id, 'terminated')
  await world.listed()
  await passes()
  expect(asked()).toEqual(['Spot m5.large', 'Spot m5a.large'])
  expect(world.attempt).toMatchObject({ n: 2, choice: { rung: 1 } })
  expect(world.attempt?.handle).not.toBe(id)
})

it('what remains of a refused attempt is cleaned beside, and the finalizer waits for it', async () => {
  const none = new CloudError('capacity', { code: 'SkuNotAvailable', message: 'None.' })
  world.cloud.createFaults.push({ when: 'with parts', error: none }, { when: 'with parts', error: none })
  await passes()
  const [first, second, third] = [...tokens()]
  expect(asked()).toHaveLength(3)
  expect(world.attempt).toMatchObject({ n: 3, token: third })
  expect(world.attempt?.left).toContain(second)
  const stateOf = (token: string | undefined) =>
    [...world.cloud.instances.values()].find(({ tag }) => tag?.token === token)?.state
  expect(stateOf(first)).toBe('terminating')
  expect(stateOf(third)).toBe('pending')
  world.remove()
  for (const { id, tag } of world.cloud.instances.values()) if (tag?.token === third) world.cloud.set(id, 'terminated')
  await world.listed()
  await passes()
  expect(world.machine, 'the finalizer waits for the interfaces').toBeDefined()
  for (let look = 0; look < 6 && world.machine; look++) {
    for (const { id, state } of world.cloud.instances.values()) {
      if (state === 'terminating') world.cloud.set(id, 'terminated')
    }
    await world.listed()
    await passes()
  }
  expect(world.machine).toBeUndefined()
  expect([...world.cloud.instances.values()].map(({ state }) => state)).toEqual(Array(3).fill('terminated'))
})

it('an attempt from an older copy of etcd, refused and waiting, adopts the instance of the one after it', async () => {
  refuse('capacity', 3)
  await passes()
  const older = world.machine as InfraMachine
  expect(world.attempt?.refused).toMatchObject({ goesOn: true })
  await world.clock.advance(30_000)
  await passes()
  const made = world.attempt
  await world.listed()
  expect(world.cloud.instances.size).toBe(1)
  const { annotations: noted } = older.metadata
  const now = world.machine as InfraMachine
  world.apiserver.put(kind, { ...older, metadata: { ...now.metadata, annotations: noted ?? {} } })
  await world.restart()
  await world.listed()
  await passes()
  await passes()
  expect(world.cloud.instances.size).toBe(1)
  expect(world.attempt).toMatchObject({ token: made?.token })
  expect(world.machine?.metadata.annotations?.[annotations.attempt]).not.toContain('refused')
})

it('an attempt without an answer, whose offering is closed by now, goes on when nothing can come of it', async () => {
  world.cloud.createFaults.push({
    when: 'before',
    error: new CloudError('ambiguous', { code: 'Timeout', message: '?' }),
  })
  await passes()
  const group = `pool ${scopeKey(fakeScope)} Spot:m5.large:us-east-1a`
  const tell = () =>
    world.memory.tell(
      { cluster: 'default/c1', policyKey: 'no policy' },
      { group, at: world.clock.now(), terms: termsOf() },
    )
  for (let seconds = 0; seconds < 110; seconds += 5) {
    tell()
    await passes()
    await world.clock.advance(5_000)
    expect([asked().length, tokens().size]).toEqual([1, 1])
  }
  for (let seconds = 0; seconds < 60; seconds += 5) {
    tell()
    await passes()
    await world.clock.advance(5_000)
  }
  expect(asked()).toEqual(['Spot m5.large', 'Spot m5a.large'])
  expect(world.attempt).toMatchObject({ n: 2, choice: { rung: 1 }, tried: [{ kind: 'transient', code: 'Unanswered' }] })
})

it('an empty reservation closes nothing for others, and this machine asks for it after pauses that double', async () => {
  fallsBackTo({ capacityType: 'OnDemand', after: '10h' })
  refuse('reservation', 9)
  const times: number[] = []
  const begun = world.clock.now()
  for (let tick = 0; tick < 50; tick++) {
    const before = asked().length
    await passes()
    if (asked().length > before) times.push(world.clock.now() - begun)
    await world.clock.advance(5_000)
  }
  expect(times).toEqual([0, 30_000, 90_000, 210_000])
})

it('full subnets are asked again after pauses that double, each of them once', async () => {
  fallsBackTo({ capacityType: 'OnDemand', after: '10h' })
  refuse('subnet', 30)
  await passes()
  expect(asked()).toHaveLength(3)
  expect(world.ready?.reason).toBe('CapacityBackoff')
  await world.clock.advance(20_000)
  await passes()
  expect(asked()).toHaveLength(3)
  await world.clock.advance(120_000)
  await passes()
  expect(asked()).toHaveLength(6)
})

it('what remains of a refused attempt is not forgotten, if no list has shown it when the next one begins', async () => {
  fallsBackTo({ capacityType: 'OnDemand', after: '5s' })
  const none = new CloudError('capacity', { code: 'SkuNotAvailable', message: 'None.' })
  world.cloud.createFaults.push({ when: 'with parts', error: none })
  await passes()
  const [first] = [...tokens()]
  await world.clock.advance(5_000)
  await passes()
  expect(world.attempt?.n).toBe(2)
  await world.listed()
  await passes()
  expect(world.cloud.calls).toContainEqual({ call: 'terminate', token: first })
})

it('all subnets are full: it waits without a write, a plan or a call, and then asks again', async () => {
  refuse('subnet', 3)
  expect(await passes()).toMatchObject({ requeueAfterMs: 30_000 })
  const before = [world.machine?.metadata.resourceVersion, world.plans, asked().length]
  await world.clock.advance(10_000)
  expect(await passes()).toMatchObject({ requeueAfterMs: 20_000 })
  expect([world.machine?.metadata.resourceVersion, world.plans, asked().length]).toEqual(before)
  await world.clock.advance(20_000)
  await passes()
  expect(asked()).toHaveLength(4)
  expect(world.cloud.instances.size).toBe(1)
})

it('goes on in the right account after the pinned one was corrected while it waits', async () => {
  refuse('capacity', 3)
  await passes()
  const { metadata, ...rest } = world.apiserver.get('AWSCluster', 'default/c1') as never as { metadata: ObjectMeta }
  const account = '444455556666'
  const corrected = { ...metadata, annotations: { [annotations.account]: account } }
  world.apiserver.put('AWSCluster', { ...rest, metadata: corrected })
  world.cloud.account = account
  for (let lists = 0; lists < 4; lists++) {
    await world.listed()
    await passes()
  }
  expect(world.cloud.instances.size).toBe(1)
  expect(world.attempt).toMatchObject({ n: 4, scope: { account } })
})

it('an instance behind a refused attempt is adopted together with what remains of that attempt', async () => {
  const none = new CloudError('capacity', { code: 'SkuNotAvailable', message: 'None.' })
  fallsBackTo({ capacityType: 'OnDemand', after: '5s' })
  world.cloud.createFaults.push({ when: 'with parts', error: none })
  await passes()
  const older = world.attempt
  await world.clock.advance(5_000)
  await passes()
  const made = world.attempt
  const { metadata, ...rest } = world.machine as InfraMachine
  const restored = { ...metadata, annotations: { [annotations.attempt]: JSON.stringify(older) } }
  world.apiserver.put(kind, { ...rest, spec: { fallback: [{}] }, metadata: restored } as never)
  for (const { id, tag } of world.cloud.instances.values()) {
    if (tag?.token === older?.token) world.cloud.set(id, 'leftover')
  }
  await world.restart()
  await world.listed()
  await passes()
  await passes()
  expect(world.attempt).toMatchObject({ token: made?.token })
  expect(world.cloud.calls).toContainEqual({ call: 'terminate', token: older?.token })
})

it('a machine that nothing can be planned for looks again after pauses that grow, and asks for nothing', async () => {
  world.planFault = new CloudError('invalid', { code: 'InvalidSpec', message: 'No subnet in this zone.' })
  const { plans } = world
  for (let second = 0; second < 60; second++) {
    await passes()
    await world.clock.advance(1_000)
  }
  expect(asked()).toEqual([])
  expect(world.plans - plans).toBeLessThan(3 * 10)
  expect(world.ready).toMatchObject({ status: 'Unknown' })
})
