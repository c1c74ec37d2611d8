import { DescribeInstancesCommand, RunInstancesCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { ec2Client, refusalOf, startEc2, usualLaunch } from './fixture.ts'

const describeInstances = new DescribeInstancesCommand({})

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
  await using ec2 = await startEc2()
  ec2.simulator.control.failNext('RunInstances', 2, {
    code: 'RequestLimitExceeded',
    message: 'Request limit exceeded.',
  })
  await ec2.client.send(describeInstances)
  const refusals = [await refusalOf(ec2.launch()), await refusalOf(ec2.launch())]
  const refusal = { code: 'RequestLimitExceeded', status: 503, message: 'Request limit exceeded.' }
  expect(refusals).toEqual([refusal, refusal])
  expect(ec2.simulator.control.instances()).toEqual([])
  await ec2.launch()
})

test('an outage refuses everything until it ends', async () => {
  await using ec2 = await startEc2()
  const { control } = ec2.simulator
  control.failNext('*', Infinity, { status: 500, code: 'InternalError', message: 'An internal error has occurred' })
  for (const call of [ec2.launch(), ec2.client.send(describeInstances), ec2.launch()]) {
    expect(await refusalOf(call)).toMatchObject({ code: 'InternalError', status: 500 })
  }
  control.clearFaults()
  await ec2.launch()
})

test('an answer that is lost was done all the same', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.answerLostAfterCommit('RunInstances')
  await expect(ec2.launch({ ClientToken: 't' })).rejects.toThrow(/socket hang up|ECONNRESET/)
  expect(ec2.simulator.requests).toMatchObject([{ action: 'RunInstances', answer: { status: 200 }, lost: true }])
  const { Instances } = await ec2.launch({ ClientToken: 't' })
  expect(ec2.simulator.control.instances().map(({ id }) => id)).toEqual([Instances?.[0]?.InstanceId])
})

test('held before: nothing is done until it is released', async () => {
  await using ec2 = await startEc2()
  const hold = ec2.simulator.control.hold('RunInstances', 'before')
  const launch = ec2.launch()
  expect((await hold.reached).action).toBe('RunInstances')
  expect(ec2.simulator.control.instances()).toEqual([])
  hold.release()
  await launch
  expect(ec2.simulator.control.instances()).toHaveLength(1)
})

test('held before and dropped: the call was lost on its way', async () => {
  await using ec2 = await startEc2()
  const hold = ec2.simulator.control.hold('RunInstances', 'before')
  const launch = ec2.launch()
  const ending = failureOf(launch)
  await hold.reached
  hold.drop()
  expect(await ending).toMatch(/socket hang up|ECONNRESET/)
  expect(ec2.simulator.control.instances()).toEqual([])
  expect(ec2.simulator.requests).toMatchObject([{ action: 'RunInstances', answer: undefined }])
})

test('held after: it is done, and its caller does not know yet', async () => {
  await using ec2 = await startEc2()
  const hold = ec2.simulator.control.hold('RunInstances', 'after')
  const launch = ec2.launch()
  let isAnswered = false
  void launch.then(() => (isAnswered = true))
  await hold.reached
  expect(ec2.simulator.control.instances()).toHaveLength(1)
  await ec2.client.send(describeInstances)
  expect(isAnswered).toBe(false)
  hold.release()
  await launch
})

test('a caller that died while its call was held: the call is done all the same when it goes on', async () => {
  await using ec2 = await startEc2()
  const hold = ec2.simulator.control.hold('RunInstances', 'before')
  const caller = new AbortController()
  const mortal = ec2Client(ec2.simulator)
  const call = mortal.send(new RunInstancesCommand(usualLaunch(ec2.simulator)), { abortSignal: caller.signal })
  const death = failureOf(call)
  await hold.reached
  caller.abort()
  expect(await death).toContain('aborted')
  mortal.destroy()
  hold.release()
  await expect.poll(() => ec2.simulator.control.instances()).toHaveLength(1)
})

test('one hold takes one call; others of the action pass meanwhile', async () => {
  await using ec2 = await startEc2()
  const hold = ec2.simulator.control.hold('RunInstances', 'before')
  const held = ec2.launch()
  await hold.reached
  await ec2.launch()
  hold.release()
  await held
  expect(ec2.simulator.control.instances()).toHaveLength(2)
})

test('a hold that is released before a call comes holds nothing', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.hold('RunInstances', 'after').release()
  const id = await ec2.launchOne()
  expect(ec2.simulator.control.instances()).toMatchObject([{ id }])
})

test('what is held is cut off when the simulator ends', async () => {
  const ec2 = await startEc2()
  const hold = ec2.simulator.control.hold('RunInstances', 'before')
  const ending = failureOf(ec2.launch())
  await hold.reached
  await ec2[Symbol.asyncDispose]()
  expect(ec2.simulator.control.instances()).toEqual([])
  expect(await ending).toMatch(/socket hang up|ECONNRESET/)
})
