import { expect, test } from 'vitest'
import { all, refusalOf, startAzure, usualMachine, type AzureFixture } from './fixture.ts'

const create = 'VirtualMachines_CreateOrUpdate'

async function machine(azure: AzureFixture, name = 'm1') {
  return usualMachine(azure.simulator.facts, name, await azure.makeInterface(`${name}-nic`))
}

/** The message with which a call ended; its failure may come before anybody waits for it. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'no failure'
  } catch (error) {
    return (error as Error).message
  }
}

test('a failure is played back as often as was said, to this action only, and the call is not done', async () => {
  await using azure = await startAzure()
  const wanted = await machine(azure)
  azure.simulator.control.failNext(create, 2, { code: 'AuthorizationFailed', message: 'You may not.' })
  await all(azure.compute.virtualMachines.listAll())
  const refusals = [await refusalOf(azure.put('m1', wanted)), await refusalOf(azure.put('m1', wanted))]
  const refusal = { code: 'AuthorizationFailed', status: 403, message: 'You may not.' }
  expect(refusals).toEqual([refusal, refusal])
  expect(azure.simulator.control.instances()).toEqual([])
  await azure.put('m1', wanted)
})

test('a throttle that is played back says when to come again', async () => {
  await using azure = await startAzure()
  await azure.control('fail-next', { action: '*', code: 'TooManyRequests', message: 'Too many.' })
  const { status, headers } = await azure.raw('GET', '/subscriptions/x/resourceGroups')
  expect([status, headers.get('retry-after')]).toEqual([429, '1'])
})

test('an answer that is lost was done all the same', async () => {
  await using azure = await startAzure()
  const wanted = await machine(azure)
  azure.simulator.control.answerLostAfterCommit(create)
  await expect(azure.put('m1', wanted, '*')).rejects.toThrow(/socket hang up|ECONNRESET/)
  expect(azure.simulator.control.instances()).toMatchObject([{ name: 'm1' }])
  expect(await refusalOf(azure.put('m1', wanted, '*'))).toMatchObject({ status: 412 })
})

test('held before: nothing is done until it is released', async () => {
  await using azure = await startAzure()
  const wanted = await machine(azure)
  const hold = azure.simulator.control.hold(create, 'before')
  const call = azure.put('m1', wanted)
  expect((await hold.reached).action).toBe(create)
  expect(azure.simulator.control.instances()).toEqual([])
  hold.release()
  await call
  expect(azure.simulator.control.instances()).toHaveLength(1)
})

test('held after and dropped: it is done, and its caller never knows', async () => {
  await using azure = await startAzure()
  const wanted = await machine(azure)
  const hold = azure.simulator.control.hold(create, 'after')
  const ending = failureOf(azure.put('m1', wanted))
  await hold.reached
  expect(azure.simulator.control.instances()).toHaveLength(1)
  hold.drop()
  expect(await ending).toMatch(/socket hang up|ECONNRESET/)
})

test('what is held is cut off when the simulator ends', async () => {
  const azure = await startAzure()
  const wanted = await machine(azure)
  const hold = azure.simulator.control.hold(create, 'before')
  const ending = failureOf(azure.put('m1', wanted))
  await hold.reached
  await azure[Symbol.asyncDispose]()
  expect(azure.simulator.control.instances()).toEqual([])
  expect(await ending).toMatch(/socket hang up|ECONNRESET/)
})

test('calls are counted by their names, and polls of operations are calls as well', async () => {
  await using azure = await startAzure()
  const wanted = await machine(azure)
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
