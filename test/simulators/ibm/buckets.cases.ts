import { expect, test } from 'vitest'
import { FakeClock } from '../../support/fakes/fake-clock.ts'
import { Buckets } from './buckets.ts'
import { IbmError } from './errors.ts'
import { refusalOf, startIbm, type IbmFixture } from './fixture.ts'

const exceeded = { status: 429, code: 'rate_limit_exceeded' }

/** How many of so many calls at one time are let in. */
function letIn(buckets: Buckets, count: number, action: string): number {
  return Array.from({ length: count }).filter(() => isLetIn(() => buckets.admit(action))).length
}

function isLetIn(call: () => void): boolean {
  try {
    call()
    return true
  } catch (error) {
    if (error instanceof IbmError && error.code === 'rate_limit_exceeded') return false
    throw error
  }
}

test.each([
  ['create_instance', 20, 5],
  ['delete_instance', 50, 5],
  ['list_instances', 100, 20],
  ['get_instance', 100, 20],
])('the bucket of %s', async (action, burst, perSecond) => {
  const clock = new FakeClock()
  const buckets = new Buckets(clock, 'real')
  expect(letIn(buckets, burst + 10, action)).toBe(burst)
  await clock.advance(1000)
  expect(letIn(buckets, burst + 10, action)).toBe(perSecond)
})

/** How many of so many creations at once are done. */
async function launchMany(ibm: IbmFixture, count: number): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: count }, () => ibm.launch()))
  return results.filter(({ status }) => status === 'fulfilled').length
}

test('calls that come too often are refused, say when to come again, and are not done; others are not hurt', async () => {
  await using ibm = await startIbm({ buckets: { actions: { create_instance: { most: 3, perSecond: 1 } } } })
  expect(await launchMany(ibm, 5)).toBe(3)
  expect(await refusalOf(ibm.launch())).toMatchObject(exceeded)
  expect(await ibm.client.list('instances')).toHaveLength(3)
  await ibm.clock.advance(999)
  expect(await refusalOf(ibm.launch())).toMatchObject(exceeded)
  await ibm.clock.advance(1)
  await ibm.launch()
})

test('who is not let in takes nothing from the account', async () => {
  await using ibm = await startIbm({ buckets: { read: { most: 1, perSecond: 1 } } })
  expect((await ibm.raw('/v1/vpcs?version=2026-08-04&generation=2')).status).toBe(401)
  await ibm.client.list('vpcs')
  expect(await refusalOf(ibm.client.list('vpcs'))).toMatchObject(exceeded)
})

test('buckets can be switched on, widened and switched off while it runs', async () => {
  await using ibm = await startIbm()
  expect(await launchMany(ibm, 22)).toBe(22)
  await ibm.control('buckets', { table: 'real' })
  expect(await launchMany(ibm, 22)).toBe(20)
  expect((await ibm.control('buckets')).json).toEqual({ create_instance: 0 })
  await ibm.control('buckets', { table: 'real', scale: 0.5 })
  expect(await launchMany(ibm, 12)).toBe(10)
  ibm.simulator.control.buckets('none')
  expect(await launchMany(ibm, 22)).toBe(22)
})
