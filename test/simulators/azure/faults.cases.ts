import { expect, test } from 'vitest'
import { startAzure, usualMachine } from './fixture.ts'

test('a throttle that is played back says when to come again', async () => {
  await using azure = await startAzure()
  await azure.control('fail-next', { action: '*', code: 'TooManyRequests', message: 'Too many.' })
  const { status, headers } = await azure.raw('GET', '/subscriptions/x/resourceGroups')
  expect([status, headers.get('retry-after')]).toEqual([429, '1'])
})

test('calls are counted by their names, and polls of operations are calls as well', async () => {
  await using azure = await startAzure()
  const wanted = usualMachine(azure.simulator.facts, 'm1', await azure.makeInterface('n1'))
  const poller = azure.compute.virtualMachines.createOrUpdate(azure.group, 'm1', wanted, { updateIntervalInMs: 5 })
  await poller.submitted()
  await azure.clock.advance(2000)
  await poller.pollUntilDone()
  expect(azure.simulator.control.counts()).toMatchObject({
    calls: 4,
    codes: { OK: 4 },
    actions: {
      NetworkInterfaces_CreateOrUpdate: { calls: 1 },
      VirtualMachines_CreateOrUpdate: { calls: 1 },
      Compute_GetOperation: { calls: 1 },
      VirtualMachines_Get: { calls: 1 },
    },
  })
})
