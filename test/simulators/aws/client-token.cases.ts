import { DescribeInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2 } from './fixture.ts'

const hour = 3_600_000
const ClientToken = 'ns/worker-1#1'

test('the same token with the same request answers with the first reservation, as it is by now', async () => {
  await using ec2 = await startEc2()
  const first = await ec2.launch({ ClientToken })
  await ec2.clock.advance(2000)
  const second = await ec2.launch({ ClientToken })

  expect(second.ReservationId).toBe(first.ReservationId)
  expect(first.Instances?.[0]?.State?.Name).toBe('pending')
  expect(second.Instances?.[0]).toMatchObject({
    InstanceId: first.Instances?.[0]?.InstanceId,
    State: { Name: 'running' },
  })
  expect(ec2.simulator.control.instances()).toHaveLength(1)
})

test('a hundred identical calls at once launch one instance', async () => {
  await using ec2 = await startEc2()
  const answers = await Promise.all(Array.from({ length: 100 }, () => ec2.launch({ ClientToken })))
  expect(new Set(answers.map((answer) => answer.Instances?.[0]?.InstanceId)).size).toBe(1)
  expect(ec2.simulator.control.instances()).toHaveLength(1)
})

test.each([
  ['another type', { InstanceType: 'm5.xlarge' }],
  ['other user data', { UserData: Buffer.from('#cloud-config 2\n').toString('base64') }],
  ['other tags', { TagSpecifications: [] }],
  ['another count', { MaxCount: 2 }],
] as const)('the same token with %s is refused', async (_, over) => {
  await using ec2 = await startEc2()
  await ec2.launch({ ClientToken })
  const refusal = await refusalOf(ec2.launch({ ClientToken, ...(over as object) }))
  expect(refusal).toMatchObject({ code: 'IdempotentParameterMismatch', status: 400 })
  expect(ec2.simulator.control.instances()).toHaveLength(1)
})

test('the zone alone may differ: the first result stands', async () => {
  await using ec2 = await startEc2()
  const anywhere = { ClientToken, NetworkInterfaces: undefined }
  const first = await ec2.launch({ ...anywhere, Placement: { AvailabilityZone: 'us-east-1a' } })
  const second = await ec2.launch({ ...anywhere, Placement: { AvailabilityZone: 'us-east-1b' } })
  expect(second.Instances?.[0]?.InstanceId).toBe(first.Instances?.[0]?.InstanceId)
  expect(second.Instances?.[0]?.Placement?.AvailabilityZone).toBe('us-east-1a')
})

test('tokens are case-sensitive', async () => {
  await using ec2 = await startEc2()
  await ec2.launch({ ClientToken: 'a' })
  await ec2.launch({ ClientToken: 'A' })
  expect(ec2.simulator.control.instances()).toHaveLength(2)
})

test('the token of a terminated instance launches nothing, long after DescribeInstances has forgotten it', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne({ ClientToken })
  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  await ec2.clock.advance(23 * hour)
  const shown = await ec2.client.send(
    new DescribeInstancesCommand({ Filters: [{ Name: 'client-token', Values: [ClientToken] }] }),
  )
  expect(shown.Reservations).toEqual([])

  const refusal = await refusalOf(ec2.launch({ ClientToken }))
  expect(refusal).toMatchObject({ code: 'IdempotentInstanceTerminated', status: 400 })
  expect(ec2.simulator.control.instances()).toHaveLength(0)
})

test('the token of an instance that is shutting down still answers with it', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne({ ClientToken })
  await ec2.clock.advance(60_000)
  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  const again = await ec2.launch({ ClientToken })
  expect(again.Instances?.[0]).toMatchObject({ InstanceId: id, State: { Name: 'shutting-down' } })
})

test('a day after the end the token is free again', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne({ ClientToken })
  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  await ec2.clock.advance(25 * hour)
  await expect(ec2.launchOne({ ClientToken })).resolves.not.toBe(id)
})

test('a refused launch leaves the token free: nothing was launched with it', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.noCapacity()
  expect(await refusalOf(ec2.launch({ ClientToken }))).toMatchObject({ code: 'InsufficientInstanceCapacity' })
  ec2.simulator.control.capacityBack()
  await ec2.launch({ ClientToken, InstanceType: 'm5a.large' })
  expect(ec2.simulator.control.instances()).toHaveLength(1)
})
