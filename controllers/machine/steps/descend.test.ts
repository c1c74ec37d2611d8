import { beforeEach, expect, it } from 'vitest'
import type { Attempt } from '../../../api/attempt.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import { annotations } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { ObjectMeta } from '../../../api/meta.ts'
import { termsOf } from '../../../api/rules/policy.ts'
import { scopeKey } from '../../../api/scope.ts'
import { fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { descending, descendingWorld } from '../../../test/support/worlds/descending.ts'
import { kind, type MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await descendingWorld()
})

const { refuse, asked, tokens, passes, fallsBackTo } = descending(() => world)

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
