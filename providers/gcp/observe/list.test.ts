import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { markInName } from '../../../test/support/tag-in-name.ts'
import { type GcpRig, home, numeric, openGcpRig, other, pathOf } from '../../../test/support/clouds/gcp-rig.ts'
import type { InstancePage } from '../../instances.ts'
import type { Instance } from '../../../api/instance.ts'

const tokens = (count: number) => Array.from({ length: count }, (_, n) => `token${String(n).padStart(7, '0')}`)

let rig: GcpRig
beforeEach(async () => {
  rig = await openGcpRig()
})
afterEach(() => rig[Symbol.asyncDispose]())

describe('what a machine costs in calls', () => {
  it('is one insert; lists show the rest, and operations are asked of nothing that is shown', async () => {
    await rig.listed()
    await Promise.all(tokens(100).map((token) => rig.create({ token })))
    for (let n = 0; n < 5; n++) {
      await rig.listed()
      await rig.clock.advance(1_000)
    }
    const { items } = await rig.listed()
    expect(items.filter(({ state }) => state === 'running')).toHaveLength(100)
    expect(rig.calls()).toEqual({ 'instances.insert': 100, 'instances.aggregatedList': 7 })
  })

  it('is not more when a hundred fail: their operations are asked of together', async () => {
    await rig.listed()
    rig.simulator.control.noCapacity()
    await Promise.all(tokens(100).map((token) => rig.create({ token })))
    await rig.settle()
    const { items } = await rig.listed()
    expect(items.map(({ failure }) => failure?.kind)).toEqual(Array.from({ length: 100 }, () => 'capacity'))
    expect(rig.operationLists()).toBe(3)
    expect((await rig.listed()).items).toEqual(items)
    expect(rig.operationLists()).toBe(3)
  })
})

describe('preempted', () => {
  const interrupted = { interrupted: true, reason: { code: 'compute.instances.preempted' } }

  it('and stopped: seen with the first list, proved by the operation, asked of once', async () => {
    const made = await rig.create({ action: 'Stop' })
    await rig.settle()
    await rig.listed()
    rig.simulator.control.interrupt(numeric(made))
    expect((await rig.listed()).items).toMatchObject([{ id: made.id, state: 'stopping', ...interrupted }])
    await rig.settle()
    expect((await rig.listed()).items).toMatchObject([{ id: made.id, state: 'stopped', started: true, ...interrupted }])
    expect(rig.operationLists()).toBe(2)
  })

  it('and deleted: the list goes on to show that it was there and why it is not', async () => {
    const made = await rig.create({ action: 'Delete' })
    await rig.settle()
    await rig.listed()
    rig.simulator.control.interrupt(numeric(made))
    await rig.settle()
    for (let n = 0; n < 3; n++) {
      expect((await rig.listed()).items).toMatchObject([{ id: made.id, state: 'terminated', ...interrupted }])
    }
    await rig.clock.advance(61 * 60_000)
    expect((await rig.listed()).items).toEqual([])
  })

  it('while nobody looked: a look at it tells', async () => {
    const want = await rig.launch({ action: 'Delete' })
    const made = await rig.cloud().instances.create(want, rig.ctx())
    await rig.settle()
    rig.simulator.control.interrupt(numeric(made))
    await rig.settle()
    rig.restart()
    const found = await rig.cloud().instances.find(rig.refTo(want, made.id), rig.ctx())
    expect(found).toMatchObject({ state: 'terminated', started: true, tag: markInName(want), ...interrupted })
  })

  it.each([
    ['by its user', 'user', 'stop'],
    ['from within', 'guest', 'compute.instances.guestTerminate'],
    ['by a host that failed', 'hostError', 'compute.instances.hostError'],
  ] as const)('is not what an instance is that was stopped %s', async (_, reason, code) => {
    const made = await rig.create()
    await rig.settle()
    if (reason === 'user') await rig.somebody('POST', `${pathOf(made)}/stop`)
    else rig.simulator.control.stop(numeric(made), reason)
    const [found] = (await rig.listed()).items
    expect(found).toMatchObject({ state: 'stopping', reason: { code } })
    expect(found).not.toHaveProperty('interrupted')
  })

  it('of which no operation tells is only stopped, and operations are not asked for ever', async () => {
    const made = await rig.create()
    await rig.settle()
    rig.simulator.control.stop(numeric(made))
    for (let n = 0; n < 60; n++) {
      expect((await rig.listed()).items).toMatchObject([{ id: made.id }])
      await rig.clock.advance(15_000)
    }
    const asked = rig.operationLists()
    expect(asked).toBeLessThan(20)
    await rig.listed()
    expect(rig.operationLists()).toBe(asked)
  })
})

it('a list that lags behind makes nothing gone', async () => {
  const made = await rig.create({ action: 'Stop' })
  await rig.settle()
  await rig.listed()
  rig.simulator.control.lag({ minMs: 25_000, maxMs: 45_000, seed: 3 })
  rig.simulator.control.interrupt(numeric(made))
  for (let n = 0; n < 20; n++) {
    const { items } = await rig.listed()
    expect(items.map(({ state }) => state)).not.toContain('terminated')
    await rig.clock.advance(1_000)
  }
})

it('a list that may not ask the operations is a list all the same', async () => {
  const made = await rig.create()
  await rig.settle()
  rig.simulator.control.interrupt(numeric(made))
  rig.simulator.control.failNext('globalOperations.aggregatedList', 1, { code: 'forbidden', message: 'No.' })
  const { items, complete } = await rig.listed()
  expect(complete).toBe(true)
  expect(items).toMatchObject([{ id: made.id, state: 'stopping' }])
  expect((await rig.listed()).items).toMatchObject([{ interrupted: true }])
})

describe('while a zone is silent', () => {
  const inZone = (zone: string) => rig.create({ zone, token: `token00000${zone.slice(-1)}1`, action: 'Delete' })
  const lastPage = async () => {
    let last: InstancePage | undefined
    for await (const page of rig.cloud().instances.list(rig.scope, rig.ctx())) last = page
    return last
  }
  let here: Instance
  let there: Instance
  beforeEach(async () => {
    here = await inZone(home)
    there = await inZone(other)
    await rig.settle()
    await rig.listed()
    rig.simulator.control.unreachable(other)
  })

  it('the list says of which, and tells of the others as ever, what is missing there too', async () => {
    expect(await lastPage()).toMatchObject({ complete: false, unreachableZones: [other] })
    rig.simulator.control.interrupt(numeric(here))
    await rig.settle()
    expect((await rig.listed()).items).toMatchObject([{ id: here.id, state: 'terminated', interrupted: true }])
  })

  it('what is missing there is neither ended nor asked about, and is seen when the zone answers again', async () => {
    const asked = rig.operationLists()
    rig.simulator.control.interrupt(numeric(there))
    await rig.settle()
    for (let n = 0; n < 5; n++) expect((await rig.listed()).items).toMatchObject([{ id: here.id, state: 'running' }])
    expect(rig.operationLists()).toBe(asked)
    rig.simulator.control.reachable(other)
    const { items, complete } = await rig.listed()
    expect(complete).toBe(true)
    expect(items.find(({ id }) => id === there.id)).toMatchObject({ state: 'terminated', interrupted: true })
  })
})
