import { TerminateInstancesCommand, type Instance } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { startEc2 } from './fixture.ts'
import { standardWorld } from './world.ts'

const hour = 3_600_000

/** State, StateReason and StateTransitionReason. */
function states({ State, StateReason, StateTransitionReason }: Instance) {
  return [State?.Name, StateReason?.Code, StateTransitionReason]
}

test('a running spot instance shows all that a provider reads', async () => {
  await using ec2 = await startEc2()
  const { facts } = ec2.simulator
  const id = await ec2.launchOne({
    ClientToken: 'token-1',
    BlockDeviceMappings: [{ DeviceName: '/dev/sda1', Ebs: { VolumeSize: 20 } }],
  })
  await ec2.clock.advance(2000)
  expect(await ec2.look(id)).toMatchObject({
    InstanceId: id,
    ImageId: facts.image,
    InstanceType: 'm5.large',
    State: { Code: 16, Name: 'running' },
    LaunchTime: new Date(Date.UTC(2026, 0, 1)),
    AmiLaunchIndex: 0,
    ClientToken: 'token-1',
    KeyName: facts.key,
    InstanceLifecycle: 'spot',
    SpotInstanceRequestId: expect.stringMatching(/^sir-[a-z0-9]{8}$/) as string,
    Placement: { AvailabilityZone: 'us-east-1a', Tenancy: 'default' },
    SubnetId: facts.subnet,
    VpcId: facts.vpc,
    PrivateIpAddress: '10.0.0.4',
    PrivateDnsName: 'ip-10-0-0-4.ec2.internal',
    SecurityGroups: [{ GroupId: facts.securityGroup, GroupName: 'spot-nodes' }],
    IamInstanceProfile: { Arn: `arn:aws:iam::123456789012:instance-profile/${facts.instanceProfile}` },
    MetadataOptions: { State: 'applied', HttpTokens: 'required', HttpPutResponseHopLimit: 1, HttpEndpoint: 'enabled' },
    Tags: [{ Key: 'Name', Value: 'worker' }],
    BlockDeviceMappings: [{ DeviceName: '/dev/sda1', Ebs: { Status: 'attached', DeleteOnTermination: true } }],
    NetworkInterfaces: [
      {
        Status: 'in-use',
        PrivateIpAddress: '10.0.0.4',
        PrivateDnsName: 'ip-10-0-0-4.ec2.internal',
        Attachment: { DeviceIndex: 0, Status: 'attached' },
        SubnetId: facts.subnet,
      },
    ],
  })
})

test('other regions have their own domain, and an instance can be named by its id', async () => {
  await using ec2 = await startEc2({ world: standardWorld({ region: 'eu-central-1' }) })
  const byAddress = await ec2.look(await ec2.launchOne())
  const byId = await ec2.look(await ec2.launchOne({ PrivateDnsNameOptions: { HostnameType: 'resource-name' } }))
  expect(byAddress.PrivateDnsName).toBe('ip-10-0-0-4.eu-central-1.compute.internal')
  expect(byId.PrivateDnsName).toBe(`${byId.InstanceId}.eu-central-1.compute.internal`)
  expect(byId.Placement).toMatchObject({ AvailabilityZone: 'eu-central-1a' })
})

test('instances of one reservation are numbered', async () => {
  await using ec2 = await startEc2()
  const { Instances = [] } = await ec2.launch({ MinCount: 3, MaxCount: 3 })
  expect(Instances.map(({ AmiLaunchIndex }) => AmiLaunchIndex)).toEqual([0, 1, 2])
  expect(new Set(Instances.map(({ PrivateIpAddress }) => PrivateIpAddress)).size).toBe(3)
})

test('a public address shows while the instance runs, and only then', async () => {
  await using ec2 = await startEc2()
  const { subnet } = ec2.simulator.facts
  const id = await ec2.launchOne({
    NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: subnet, AssociatePublicIpAddress: true }],
  })
  expect((await ec2.look(id)).PublicIpAddress).toBeUndefined()
  await ec2.clock.advance(2000)
  expect(await ec2.look(id)).toMatchObject({
    PublicIpAddress: '3.0.0.4',
    PublicDnsName: 'ec2-3-0-0-4.compute-1.amazonaws.com',
    NetworkInterfaces: [{ Association: { PublicIp: '3.0.0.4', IpOwnerId: 'amazon' } }],
  })
  ec2.simulator.control.stop(id)
  expect((await ec2.look(id)).PublicIpAddress).toBeUndefined()
})

test('a terminated instance passes through shutting-down, says who did it, and has no place in a network any more', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchRunning()
  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  const byUser = ['Client.UserInitiatedShutdown', 'User initiated (2026-01-01 00:00:02 GMT)']
  expect(states(await ec2.look(id))).toEqual(['shutting-down', ...byUser])
  await ec2.clock.advance(1000)

  const gone = await ec2.look(id)
  expect(states(gone)).toEqual(['terminated', ...byUser])
  expect(gone).toMatchObject({ NetworkInterfaces: [], SecurityGroups: [], BlockDeviceMappings: [], PrivateDnsName: '' })
  expect([gone.PrivateIpAddress, gone.SubnetId, gone.VpcId]).toEqual([undefined, undefined, undefined])
  expect(gone.Tags).toEqual([{ Key: 'Name', Value: 'worker' }])
})

test('an hour after its end nothing shows an instance any more', async () => {
  await using ec2 = await startEc2({ shutdownMs: 0 })
  const id = await ec2.launchOne()
  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  await ec2.clock.advance(hour - 1)
  expect((await ec2.look(id)).State?.Name).toBe('terminated')
  await ec2.clock.advance(1)
  await expect(ec2.look(id)).rejects.toMatchObject({ name: 'InvalidInstanceID.NotFound' })
})

test('an interruption ends a spot instance after its notice, in the words of EC2', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchRunning()
  ec2.simulator.control.interrupt(id, 120_000)
  expect(states(await ec2.look(id))).toEqual(['running', undefined, ''])

  await ec2.clock.advance(120_000)
  const reclaimed = ['Server.SpotInstanceTermination', 'Server.SpotInstanceTermination']
  expect(states(await ec2.look(id))).toEqual(['shutting-down', ...reclaimed])
  await ec2.clock.advance(1000)
  expect(states(await ec2.look(id))).toEqual(['terminated', ...reclaimed])
})

test('a user may be faster than an interruption: then it was the user', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchRunning()
  ec2.simulator.control.interrupt(id, 120_000)
  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  await ec2.clock.advance(120_000)
  expect((await ec2.look(id)).StateReason?.Code).toBe('Client.UserInitiatedShutdown')
})

test('a stopped instance keeps its place and address', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchRunning()
  ec2.simulator.control.stop(id, 'Server.SpotInstanceShutdown')
  expect(states(await ec2.look(id))).toEqual(['stopping', 'Server.SpotInstanceShutdown', 'Server.SpotInstanceShutdown'])
  await ec2.clock.advance(1000)
  expect(await ec2.look(id)).toMatchObject({ State: { Name: 'stopped' }, PrivateIpAddress: '10.0.0.4' })
})

test('who stops an instance: its guest where it is spot, else a user', async () => {
  await using ec2 = await startEc2()
  const spot = await ec2.launchOne()
  const other = await ec2.launchRunning({ InstanceMarketOptions: undefined })
  for (const id of [spot, other]) ec2.simulator.control.stop(id)
  await ec2.clock.advance(1000)
  expect(states(await ec2.look(spot)).slice(0, 2)).toEqual(['stopped', 'Client.InstanceInitiatedShutdown'])
  expect(states(await ec2.look(other)).slice(0, 2)).toEqual(['stopped', 'Client.UserInitiatedShutdown'])
})

test('an instance that ends while it is pending never runs', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  ec2.simulator.control.terminate(id, 'Server.InternalError')
  await ec2.clock.advance(10_000)
  expect(states(await ec2.look(id))).toEqual(['terminated', 'Server.InternalError', 'Server.InternalError'])
})
