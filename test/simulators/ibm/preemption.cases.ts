import { expect, test } from 'vitest'
import { startIbm, type Json } from './fixture.ts'

const sentence = 'The virtual server instance was stopped due to preemption.'
const reasons = [{ code: 'stopped_by_preemption', message: sentence }]

function said({ status, status_reasons, lifecycle_reasons, startable }: Json) {
  return { status, status_reasons, lifecycle_reasons, startable }
}

test('by the policy stop: a record in the logs at once, stopping without a reason, then stopped with it', async () => {
  await using ibm = await startIbm({ stopMs: 5000 })
  const id = await ibm.launchRunning()
  ibm.simulator.control.interrupt(id, 30_000)
  expect((await ibm.control('logs')).json).toMatchObject([
    {
      messageId: 'instance.00002',
      level: 'warn',
      message: `Spot instance ${id} has been selected for preemption.`,
      logSourceCRN: (await ibm.look(id))['crn'],
      msgTimestamp: new Date(ibm.clock.now()).toISOString(),
    },
  ])
  const stopping = { status: 'stopping', status_reasons: [], lifecycle_reasons: [], startable: false }
  expect(said(await ibm.look(id))).toEqual(stopping)
  await ibm.clock.advance(34_999)
  expect(said(await ibm.look(id))).toEqual(stopping)
  await ibm.clock.advance(1)
  expect(said(await ibm.look(id))).toEqual({
    status: 'stopped',
    status_reasons: reasons,
    lifecycle_reasons: [],
    startable: true,
  })
})

test('by the policy delete: deleting, then nothing', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchRunning({ availability_policy: { preemption: 'delete' } })
  await ibm.control('interrupt', { id, notice: '30s' })
  await ibm.clock.advance(30_999)
  expect(await ibm.look(id)).toMatchObject({ status: 'deleting', lifecycle_state: 'deleting', status_reasons: [] })
  await ibm.clock.advance(1)
  await expect(ibm.look(id)).rejects.toMatchObject({ status: 404 })
  expect(ibm.simulator.control.remains()).toEqual({ instances: [], interfaces: [], disks: [], addresses: [] })
  expect(ibm.simulator.control.logs()).toHaveLength(1)
})

test('the reason may stand among those of the lifecycle, and may be there from the beginning', async () => {
  await using ibm = await startIbm()
  const { control } = ibm.simulator
  control.behave({ preemptionReason: 'lifecycle_reasons', preemptionReasonFrom: 'stopping' })
  const id = await ibm.launchRunning()
  control.interrupt(id)
  expect(said(await ibm.look(id))).toMatchObject({ status: 'stopping', lifecycle_reasons: reasons, status_reasons: [] })
  await ibm.clock.advance(1000)
  expect(said(await ibm.look(id))).toMatchObject({ status: 'stopped', lifecycle_reasons: reasons, status_reasons: [] })
  expect(control.instances()).toMatchObject([{ reason: 'stopped_by_preemption' }])
})

test('a change of the policy while a preemption is under way holds for the next one only', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchRunning()
  ibm.simulator.control.interrupt(id, 10_000)
  const body = { availability_policy: { preemption: 'delete' } }
  await ibm.client.call('PATCH', `/instances/${id}`, { body })
  await ibm.clock.advance(11_000)
  expect(await ibm.look(id)).toMatchObject({ status: 'stopped', availability_policy: { preemption: 'delete' } })
})

test('one that has not yet started can be preempted too', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne()
  ibm.simulator.control.interrupt(id)
  await ibm.clock.advance(10_000)
  expect(said(await ibm.look(id))).toMatchObject({ status: 'stopped', status_reasons: reasons })
})

test('of what is not spot, and not taken back, the logs say nothing', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchRunning({ availability: { class: 'standard' } })
  expect(() => ibm.simulator.control.interrupt(id)).toThrow('is not a spot instance')
  expect(ibm.simulator.control.logs()).toEqual([])
})
