import { expect, test } from 'vitest'
import { startAzure } from './fixture.ts'

test('a machine is called by its vmId, its name or its resource id', async () => {
  await using azure = await startAzure()
  const { control } = azure.simulator
  const ids = [await azure.launch('m1'), 'M2', '']
  await azure.launch('m2')
  await azure.launch('m3')
  ids[2] = control.instances()[2]?.resourceId ?? ''
  await azure.clock.advance(2000)
  for (const id of ids) expect(await azure.control('interrupt', { id })).toMatchObject({ status: 200 })
  await azure.clock.advance(1000)
  const { json } = await azure.control('instances')
  expect((json as { state: string }[]).map(({ state }) => state)).toEqual(['deallocated', 'deallocated', 'deallocated'])
})

test('what is left, by name', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  expect((await azure.control('remains')).json).toEqual({
    instances: ['m1'],
    interfaces: ['m1-nic'],
    disks: ['m1_OSDisk'],
    addresses: [],
  })
  await azure.control('vanish', { id: 'm1' })
  expect((await azure.control('remains')).json).toEqual({ instances: [], interfaces: [], disks: [], addresses: [] })
})

test('what a machine is doing decides what can happen to it', async () => {
  await using azure = await startAzure()
  await azure.launch('m1')
  expect((await azure.control('interrupt', { id: 'm1' })).json).toMatchObject({
    error: expect.stringContaining('Machine m1 is creating; it must be running') as string,
  })
  azure.simulator.control.terminate('m1')
  expect(() => azure.simulator.control.terminate('m1')).toThrow('Machine m1 is being deleted.')
})
