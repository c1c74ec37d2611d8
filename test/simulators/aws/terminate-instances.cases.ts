import { TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'

const nowhere = 'i-0123456789abcdef0'

async function terminate(ec2: Ec2Fixture, ...InstanceIds: string[]) {
  const { TerminatingInstances = [] } = await ec2.client.send(new TerminateInstancesCommand({ InstanceIds }))
  return TerminatingInstances.map(({ PreviousState, CurrentState }) => [PreviousState?.Name, CurrentState?.Name])
}

test.each([
  ['malformed', 'web-1', 'InvalidInstanceID.Malformed'],
  ['unknown', nowhere, 'InvalidInstanceID.NotFound'],
])('one %s id, and none ends', async (_, wrong, code) => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  expect(await refusalOf(terminate(ec2, id, wrong))).toMatchObject({ code, status: 400 })
  expect((await ec2.look(id)).State?.Name).toBe('pending')
})

test('one protected instance, and none ends', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  const kept = await ec2.launchOne({ InstanceMarketOptions: undefined, DisableApiTermination: true })
  expect(await refusalOf(terminate(ec2, id, kept))).toMatchObject({
    code: 'OperationNotPermitted',
    message: expect.stringContaining(`The instance '${kept}' may not be terminated.`) as string,
  })
  expect((await ec2.look(id)).State?.Name).toBe('pending')
})

test('without an id there is nothing to do, and that is an error', async () => {
  await using ec2 = await startEc2()
  const answer = await ec2.raw({ Action: 'TerminateInstances', Version: '2016-11-15' })
  expect(answer.text).toContain(
    '<Code>MissingParameter</Code><Message>The request must contain the parameter InstanceId<',
  )
})

test('terminating again does no more, in whatever state the instance is', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchRunning()
  expect(await terminate(ec2, id)).toEqual([['running', 'shutting-down']])
  expect(await terminate(ec2, id)).toEqual([['shutting-down', 'shutting-down']])
  await ec2.clock.advance(1000)
  expect(await terminate(ec2, id)).toEqual([['terminated', 'terminated']])
  expect((await ec2.look(id)).StateTransitionReason).toBe('User initiated (2026-01-01 00:00:02 GMT)')
})

test('an address is free again when its instance is gone, but does not come back at once', async () => {
  await using ec2 = await startEc2()
  const first = await ec2.look(await ec2.launchOne())
  await terminate(ec2, first.InstanceId ?? '')
  await ec2.clock.advance(1000)
  expect((await ec2.look(await ec2.launchOne())).PrivateIpAddress).not.toBe(first.PrivateIpAddress)
  const again = {
    NetworkInterfaces: [
      { DeviceIndex: 0, SubnetId: ec2.simulator.facts.subnet, PrivateIpAddress: first.PrivateIpAddress },
    ],
  }
  expect((await ec2.look(await ec2.launchOne(again))).PrivateIpAddress).toBe(first.PrivateIpAddress)
})
