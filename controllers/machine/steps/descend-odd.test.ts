import { beforeEach, describe, expect, it } from 'vitest'
import type { Attempt, KeptRefusal } from '../../../api/attempt.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import { annotations, core } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import { scopeKey } from '../../../api/scope.ts'
import { fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { descending } from '../../../test/support/worlds/descending.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
  spec({ fallback: [{ instanceTypes: ['m5a.large'] }, { capacityType: 'OnDemand' }] })
})

function spec(now: object): void {
  world.apiserver.put(kind, { ...(world.machine as InfraMachine), spec: now } as never)
}

const { refuse, asked, tokens, passes } = descending(() => world)

/** By an hour, when it was refused. */
function clockWasAhead(): void {
  const at = rfc3339(world.clock.now() + 3_600_000)
  const { tried = [], refused, ...attempt } = world.attempt as Attempt
  const late = { ...attempt, tried: tried.map((one) => ({ ...one, at })), refused: refused && { ...refused, at } }
  const { metadata, ...rest } = world.machine as InfraMachine
  const noted = {
    [annotations.attempt]: JSON.stringify({ ...late, ...(tried.length > 0 ? { firstRefusedAt: at } : {}) }),
  }
  world.apiserver.put(kind, { ...rest, metadata: { ...metadata, annotations: noted } })
}

it('has claimed what it chose before anything is awaited, so that others see it while the launch is planned', async () => {
  const standing: unknown[] = []
  Object.defineProperty(world, 'planFault', {
    get: () => void standing.push(world.launches.factsOf('default/m1')?.is),
  })
  refuse('capacity')
  await passes()
  expect(asked()).toHaveLength(2)
  expect(standing.length).toBeGreaterThanOrEqual(2)
  expect(new Set(standing)).toEqual(new Set(['claimed']))
})

it('another process knows the tokens of what is left: none of it passes for that of another manager', async () => {
  const none = new CloudError('capacity', { code: 'SkuNotAvailable', message: 'None.' })
  world.cloud.createFaults.push({ when: 'with parts', error: none })
  await passes()
  const [first = ''] = tokens()
  expect(world.attempt?.left).toEqual([first])
  await world.restart()
  await world.pass()
  expect(world.attempt?.token).not.toBe(first)
  expect([first, world.attempt?.token ?? ''].map((token) => world.tokens.has(token))).toEqual([true, true])
})

it.each(['at the call', 'after the yes'])(
  'a refusal %s is told to all at once, though this machine goes on',
  async (when) => {
    if (when === 'at the call') refuse('capacity')
    else world.cloud.accepting = true
    await passes()
    const [id = ''] = world.cloud.instances.keys()
    const failure = new CloudError('capacity', { code: 'OverCapacity', message: 'None.' })
    if (when !== 'at the call') world.cloud.set(id, 'stopped', { failure })
    await world.listed()
    await passes()
    const known = world.memory.backoffOf('default/c1').get('no policy')
    expect([...(known?.keys() ?? [])]).toEqual([`pool ${scopeKey(fakeScope)} Spot:m5.large:us-east-1a`])
  },
)

it('begins no next attempt while a list shows an instance of another token of its own: that one is adopted', async () => {
  const create = world.cloud.create.bind(world.cloud)
  world.cloud.create = async (want, ctx) => {
    world.cloud.create = create
    await create({ ...want, token: 'token-before' }, ctx)
    await world.clock.advance(15_000)
    throw new CloudError('capacity', { code: 'InsufficientInstanceCapacity', message: 'There is none.' })
  }
  await passes()
  expect(tokens()).toEqual(new Set(['token-before']))
  expect(world.attempt).toMatchObject({ n: 1, refused: { goesOn: true } })
  await world.listed()
  await passes()
  await world.listed()
  await passes()
  expect(world.attempt).toMatchObject({ token: 'token-before' })
  expect([tokens().size, world.cloud.instances.size]).toEqual([1, 1])
})

it('of four refused attempts something may remain; it goes on when less does', async () => {
  spec({ fallback: [{ instanceTypes: ['a.large', 'b.large', 'c.large', 'd.large', 'e.large'] }] })
  const none = new CloudError('capacity', { code: 'SkuNotAvailable', message: 'None.' })
  for (let nth = 0; nth < 5; nth++) world.cloud.createFaults.push({ when: 'with parts', error: none })
  expect(await passes()).not.toBe('done')
  expect(asked()).toHaveLength(5)
  expect(world.attempt?.left).toHaveLength(4)
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'Launching' })
  for (let look = 0; look < 6; look++) {
    for (const { id, state } of world.cloud.instances.values()) {
      if (state === 'terminating') world.cloud.set(id, 'terminated')
    }
    await world.listed()
    await passes()
  }
  expect(asked()).toHaveLength(6)
  expect(world.attempt).toMatchObject({ n: 6, choice: { instanceType: 'e.large' } })
})

it('a code of any length leaves a valid attempt', async () => {
  refuse('capacity', 1, 'X'.repeat(3_000))
  await passes()
  await world.listed()
  await passes()
  expect(asked()).toHaveLength(2)
  expect(world.ready?.reason).toBe('InstanceStarting')
})

it('a call without an answer is repeated with its choice, though the fallback is gone from the spec', async () => {
  refuse('capacity', 2)
  const lost = new CloudError('ambiguous', { code: 'Timeout', message: '?' })
  world.cloud.createFaults.push({ when: 'before', error: lost })
  await passes()
  spec({})
  await world.clock.advance(1_000)
  await passes()
  expect(asked().slice(2)).toEqual(['OnDemand m5.large', 'OnDemand m5.large'])
  expect(tokens().size).toBe(3)
})

it('a machine that comes up after a no, against all promises, is adopted and not ended', async () => {
  const none = new CloudError('capacity', { code: 'SkuNotAvailable', message: 'None.' })
  for (let rung = 0; rung < 3; rung++) world.cloud.createFaults.push({ when: 'with parts', error: none })
  await passes()
  const [first] = world.cloud.instances.values()
  const { id = '', tag } = first ?? {}
  world.cloud.set(id, 'running', { started: true })
  await world.listed()
  await passes()
  await passes()
  expect(world.attempt).toMatchObject({ token: tag?.token, handle: id })
  expect(world.attempt?.left).not.toContain(tag?.token)
  expect([world.cloud.instances.get(id)?.state, asked().length]).toEqual(['running', 3])
})

it('a refusal without a time, as an older version has kept it, is waited for once', async () => {
  spec({ fallback: [{ instanceTypes: ['m5.large'] }] })
  refuse('capacity')
  await passes()
  const { metadata, ...rest } = world.machine as InfraMachine
  const { at: _, ...refused } = world.attempt?.refused ?? ({} as KeptRefusal)
  const attempt = JSON.stringify({ ...world.attempt, refused })
  world.apiserver.put(kind, { ...rest, metadata: { ...metadata, annotations: { [annotations.attempt]: attempt } } })
  for (let looks = 0; looks < 4; looks++) {
    await world.clock.advance(20_000)
    await passes()
  }
  expect(asked()).toEqual(['Spot m5.large', 'Spot m5.large'])
})

it('ends no instance because somebody has written its own token into left', async () => {
  const id = await world.serves()
  const { metadata, ...rest } = world.machine as InfraMachine
  const attempt = JSON.stringify({ ...world.attempt, left: [world.attempt?.token] })
  world.apiserver.put(kind, { ...rest, metadata: { ...metadata, annotations: { [annotations.attempt]: attempt } } })
  await passes()
  await passes()
  expect([world.cloud.instances.get(id)?.state, world.cloud.count('terminate')]).toEqual(['running', 0])
})

it('subnets that are still full after the pause: it looks once for each rung, and waits again', async () => {
  world.places.splice(1)
  refuse('subnet')
  await passes()
  expect([asked().length, world.ready?.reason]).toEqual([1, 'CapacityBackoff'])
  const endless = new CloudError('denied', { code: 'Endless', message: 'It looks and looks.' })
  Object.defineProperty(world, 'planFault', { get: () => (world.plans > 50 ? endless : undefined) })
  world.places.length = 0
  for (let looks = 0; looks < 4; looks++) {
    await world.clock.advance(30_000)
    await passes()
  }
  expect([asked().length, world.ready?.reason]).toEqual([1, 'CapacityBackoff'])
  expect(world.plans).toBeLessThan(20)
})

it('what cannot be removed holds up nothing else that is left', async () => {
  const none = new CloudError('capacity', { code: 'SkuNotAvailable', message: 'None.' })
  for (let rung = 0; rung < 2; rung++) world.cloud.createFaults.push({ when: 'with parts', error: none })
  const terminate = world.cloud.terminate.bind(world.cloud)
  world.cloud.terminate = (which, ctx) => {
    const locked = new CloudError('denied', { code: 'ScopeLocked', message: 'There is a lock.' })
    return which.tag.token === [...tokens()][0] ? Promise.reject(locked) : terminate(which, ctx)
  }
  await passes()
  const [first, second] = [...tokens()]
  for (let looks = 0; looks < 4; looks++) {
    await world.clock.advance(15_000)
    await passes()
    for (const { id, tag } of world.cloud.instances.values()) {
      if (tag?.token === second) world.cloud.set(id, 'terminated')
    }
  }
  expect(world.attempt?.left).toEqual([first])
})

describe('a control plane, which no group holds,', () => {
  beforeEach(() => {
    const { metadata, ...rest } = world.apiserver.get('Machine', 'default/m1') as never as InfraMachine
    world.apiserver.put('Machine', { ...rest, metadata: { ...metadata, labels: { [core.controlPlane]: '' } } })
  })

  const halfHour = async (step = 5) => {
    const before = asked().length
    for (let seconds = 0; seconds < 30 * 60; seconds += step) {
      await passes()
      await world.clock.advance(step * 1_000)
    }
    return asked().length - before
  }

  it('asks after pauses that grow', async () => {
    refuse('capacity', 500)
    const calls = await halfHour()
    expect(calls).toBeGreaterThan(10)
    expect(calls).toBeLessThan(35)
  })

  it('asks for each of more offerings than it remembers refusals of, and after pauses that grow', async () => {
    const most = 20
    const instanceTypes = Array.from({ length: most - 1 }, (_, n) => `t${n}.large`)
    spec({ fallback: [{ instanceTypes, zones: ['us-east-1a'] }] })
    refuse('capacity', 1_000)
    const first = await halfHour(15)
    expect(new Set(asked()).size).toBe(most)
    expect(first).toBeLessThan(7 * most)
    expect(await halfHour(15)).toBeLessThan(2 * most)
  })

  it('does not wait for a clock that was ahead when it was refused', async () => {
    refuse('capacity', 500)
    await passes()
    clockWasAhead()
    expect(asked()).toHaveLength(3)
    const calls = await halfHour()
    expect(calls).toBeGreaterThan(10)
    expect(calls).toBeLessThan(35)
  })
})

it('waits for `after` no longer because the clock was ahead when it was refused', async () => {
  spec({ fallback: [{ capacityType: 'OnDemand', after: '10m' }] })
  const creationTimestamp = rfc3339(world.clock.now())
  const { metadata, ...rest } = world.apiserver.get('Machine', 'default/m1') as never as InfraMachine
  world.apiserver.put('Machine', { ...rest, metadata: { ...metadata, creationTimestamp } })
  refuse('capacity', 500)
  await passes()
  clockWasAhead()
  const asks = async (seconds: number) => {
    for (let now = 0; now < seconds; now += 5) {
      await passes()
      await world.clock.advance(5_000)
    }
    return new Set(asked())
  }
  expect(await asks(9 * 60)).toEqual(new Set(['Spot m5.large']))
  expect(await asks(2 * 60)).toContain('OnDemand m5.large')
})

it('credentials that are denied for a while make it forget nothing that it has tried', async () => {
  spec({ fallback: [{ instanceTypes: ['m5a.large'] }, { capacityType: 'OnDemand', after: '1h' }] })
  await world.clock.advance(2 * 3_600_000)
  refuse('invalid', 1, 'InvalidParameter')
  refuse('denied', 2, 'UnauthorizedOperation')
  refuse('capacity', 2)
  await passes()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'CredentialsDenied' })
  const { firstRefusedAt } = world.attempt ?? {}
  for (let seconds = 0; seconds < 11 * 60; seconds += 5) {
    await passes()
    await world.clock.advance(5_000)
  }
  expect(asked().slice(0, 4)).toEqual(['Spot m5.large', 'Spot m5a.large', 'Spot m5a.large', 'Spot m5a.large'])
  expect(new Set(asked().slice(4)), 'not the rung that is invalid, and on demand only after its time').toEqual(
    new Set(['Spot m5a.large']),
  )
  expect(world.attempt).toMatchObject({ invalid: [0], firstRefusedAt })
  const kinds = world.attempt?.tried?.map(({ kind: refusedKind }) => refusedKind)
  expect(new Set(kinds), 'the credentials were refused, and not the offering').toEqual(new Set(['invalid', 'capacity']))
})
