import { expect, test } from 'vitest'
import { refusalOf, startIbm, type IbmFixture } from './fixture.ts'

const exceeded = { status: 400, code: 'over_quota' }
const standard = { availability: { class: 'standard' } }

async function launchMany(ibm: IbmFixture, count: number, over: object = {}): Promise<void> {
  for (let launched = 0; launched < count; launched++) await ibm.launch(over)
}

test('an account that has asked for nothing more has a hundred spot instances, whatever their size', async () => {
  await using ibm = await startIbm({ quotas: 'ibm' })
  await launchMany(ibm, 100)
  expect(await refusalOf(ibm.launch())).toMatchObject(exceeded)
  expect(ibm.simulator.control.instances()).toHaveLength(100)
  // Standard instances count apart.
  await ibm.launch(standard)
})

test('standard instances have processors, memory and GPUs, in which spot instances do not count', async () => {
  await using ibm = await startIbm({ quotas: 'ibm' })
  await launchMany(ibm, 2)
  await launchMany(ibm, 25, { ...standard, profile: { name: 'bxf-8x32' } })
  expect(await refusalOf(ibm.launch(standard))).toMatchObject({
    ...exceeded,
    message: 'The request would exceed the quota for a resource type: 200 vCPUs.',
  })
  await ibm.launch()
})

test('GPUs', async () => {
  await using ibm = await startIbm({ quotas: { gpus: 3 } })
  await ibm.launch({ ...standard, profile: { name: 'gx3-32x160x2l4' } })
  expect(await refusalOf(ibm.launch({ ...standard, profile: { name: 'gx3-32x160x2l4' } }))).toMatchObject(exceeded)
  await ibm.launch({ ...standard, profile: { name: 'gx3-16x80x1l4' } })
})

test('what is deleted counts no more, and limits can be changed while it runs', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne()
  await ibm.control('quota', { name: 'spotInstances', limit: 1 })
  expect((await ibm.control('quotas')).json).toEqual({ spotInstances: 1 })
  expect(await refusalOf(ibm.launch())).toMatchObject(exceeded)
  await ibm.client.call('DELETE', `/instances/${id}`)
  await ibm.clock.advance(1000)
  await ibm.launch()
  await ibm.control('quota', { name: 'spotInstances', limit: 2 })
  await ibm.launch()
})
