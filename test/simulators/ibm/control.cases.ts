import { expect, test } from 'vitest'
import { usualBehaviour } from './control/behaviour.ts'
import { startIbm } from './fixture.ts'

test('an instance is called by its name or its id', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchRunning({ name: 'worker' })
  expect((await ibm.control('interrupt', { id: 'worker' })).status).toBe(200)
  await ibm.clock.advance(1000)
  const launchedAt = `${new Date(ibm.clock.now() - 3000).toISOString().slice(0, 19)}Z`
  expect((await ibm.control('instances')).json).toMatchObject([{ id, name: 'worker', state: 'stopped', launchedAt }])
  expect((await ibm.control('terminate', { id })).status).toBe(200)
})

test('behaviour is seen, changed in one thing, and put back', async () => {
  await using ibm = await startIbm()
  expect((await ibm.control('behaviour')).json).toEqual(usualBehaviour)
  await ibm.control('behave', { switch: 'deletion', to: '202' })
  await ibm.control('behave', { switch: 'capacityFailure', to: 'stopped' })
  expect(ibm.simulator.control.behaviour()).toEqual({ ...usualBehaviour, deletion: '202', capacityFailure: 'stopped' })
  await ibm.control('behave', {})
  expect(ibm.simulator.control.behaviour()).toEqual(usualBehaviour)
})

test('what an instance is doing decides what can happen to it', async () => {
  await using ibm = await startIbm()
  const id = await ibm.launchOne()
  ibm.simulator.control.stop(id)
  await ibm.clock.advance(1000)
  expect((await ibm.control('interrupt', { id })).json).toEqual({
    error: `Instance ${id} is stopped; it must be pending or starting or running or restarting for this.`,
  })
})
