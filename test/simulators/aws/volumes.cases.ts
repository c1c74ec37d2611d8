import { DescribeVolumesCommand, TerminateInstancesCommand, type RunInstancesCommandInput } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { startEc2, type Ec2Fixture } from './fixture.ts'
import { standardWorld } from './world.ts'

const disks: Partial<RunInstancesCommandInput> = {
  BlockDeviceMappings: [
    { DeviceName: '/dev/sda1', Ebs: { VolumeSize: 40, VolumeType: 'io2', Iops: 2000, Encrypted: true } },
    {
      DeviceName: '/dev/sdb',
      Ebs: { VolumeSize: 100, VolumeType: 'gp3', Throughput: 250, DeleteOnTermination: false },
    },
  ],
}

async function volumes(ec2: Ec2Fixture, filter: string, value: string) {
  const Filters = [{ Name: filter, Values: [value] }]
  const { Volumes = [] } = await ec2.client.send(new DescribeVolumesCommand({ Filters }))
  return Volumes
}

test('the volumes of an instance are as the launch asked for them, the root and those beside it', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne(disks)
  expect(await volumes(ec2, 'attachment.instance-id', id)).toMatchObject([
    { Size: 40, VolumeType: 'io2', Iops: 2000, Encrypted: true, State: 'in-use' },
    { Size: 100, VolumeType: 'gp3', Iops: 3000, Throughput: 250, Encrypted: false, State: 'in-use' },
  ])
  await ec2.clock.advance(2000)
  expect((await ec2.look(id)).BlockDeviceMappings).toMatchObject([
    { DeviceName: '/dev/sda1', Ebs: { DeleteOnTermination: true } },
    { DeviceName: '/dev/sdb', Ebs: { DeleteOnTermination: false } },
  ])
})

test('what a launch leaves out of a volume of the image is as the image says', async () => {
  const [image, ...others] = standardWorld().images
  if (!image) throw new Error('The standard world has an image')
  const usual = {
    snapshot: 'snap-0c1a00000000000b1',
    snapshotGiB: 30,
    type: 'gp2',
    deleteOnTermination: false,
  } as const
  const ofImage = ['/dev/sda1', '/dev/sdf', '/dev/sdg', '/dev/sdh'].map((device) => ({ ...usual, device }))
  await using ec2 = await startEc2({
    world: { ...standardWorld(), images: [{ ...image, volumes: ofImage }, ...others] },
  })
  const BlockDeviceMappings = [
    { DeviceName: '/dev/sda1', Ebs: { VolumeSize: 40 } },
    { DeviceName: '/dev/sdf', Ebs: { DeleteOnTermination: true } },
    { DeviceName: '/dev/sdg', NoDevice: '' },
  ]
  const id = await ec2.launchOne({ BlockDeviceMappings })
  expect(await volumes(ec2, 'attachment.instance-id', id)).toMatchObject([
    { Size: 40, VolumeType: 'gp2', Attachments: [{ Device: '/dev/sda1', DeleteOnTermination: false }] },
    { Size: 30, VolumeType: 'gp2', Attachments: [{ Device: '/dev/sdf', DeleteOnTermination: true }] },
    { Size: 30, VolumeType: 'gp2', Attachments: [{ Device: '/dev/sdh', DeleteOnTermination: false }] },
  ])
})

test('a volume that does not end with its instance stays behind, long after it', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne(disks)
  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  await ec2.clock.advance(2 * 3_600_000)
  expect(await volumes(ec2, 'attachment.instance-id', id)).toEqual([])
  const left = await volumes(ec2, 'status', 'available')
  expect(left).toMatchObject([{ Size: 100, Attachments: [] }])
})
