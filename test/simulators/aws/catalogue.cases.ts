import {
  DescribeAvailabilityZonesCommand,
  DescribeImagesCommand,
  DescribeInstanceTypeOfferingsCommand,
  DescribeInstanceTypesCommand,
  DescribeKeyPairsCommand,
  DescribeRegionsCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  paginateDescribeInstanceTypes,
  type DescribeImagesCommandInput,
  type DescribeInstanceTypeOfferingsCommandInput,
} from '@aws-sdk/client-ec2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'
import { standardWorld } from './world.ts'

const nowhere = '0123456789abcdef0'

let ec2: Ec2Fixture
beforeAll(async () => {
  ec2 = await startEc2()
})
afterAll(() => ec2[Symbol.asyncDispose]())

test('the facts are what the API answers with', async () => {
  const { client, simulator } = ec2
  const { facts } = simulator
  const vpc = await client.send(new DescribeVpcsCommand({ VpcIds: [facts.vpc] }))
  expect(vpc.Vpcs).toMatchObject([{ VpcId: facts.vpc, CidrBlock: '10.0.0.0/16', State: 'available', IsDefault: false }])
  const subnets = await client.send(new DescribeSubnetsCommand({ Filters: [{ Name: 'vpc-id', Values: [facts.vpc] }] }))
  expect(
    subnets.Subnets?.map(({ SubnetId, AvailabilityZone, CidrBlock }) => [SubnetId, AvailabilityZone, CidrBlock]),
  ).toEqual(facts.subnets.map(({ id, availabilityZone, cidr }) => [id, availabilityZone, cidr]))
  const groups = await client.send(new DescribeSecurityGroupsCommand({ GroupIds: [facts.securityGroup] }))
  expect(groups.SecurityGroups).toMatchObject([{ VpcId: facts.vpc }])
  const images = await client.send(new DescribeImagesCommand({ ImageIds: [facts.image] }))
  expect(images.Images).toMatchObject([{ State: 'available', Architecture: 'x86_64', RootDeviceName: '/dev/sda1' }])
  const keys = await client.send(new DescribeKeyPairsCommand({ KeyNames: [facts.key] }))
  expect(keys.KeyPairs).toMatchObject([{ KeyName: facts.key }])
  const zones = await client.send(new DescribeAvailabilityZonesCommand({}))
  expect(zones.AvailabilityZones?.map(({ ZoneName, ZoneId }) => [ZoneName, ZoneId])).toEqual([
    ['us-east-1a', 'use1-az1'],
    ['us-east-1b', 'use1-az2'],
    ['us-east-1c', 'use1-az3'],
  ])
  const regions = await client.send(new DescribeRegionsCommand({}))
  expect(regions.Regions?.map(({ RegionName }) => RegionName)).toEqual([facts.region])
})

test('a deprecated image is shown to who names it by its id or asks for such, and is launched all the same', async () => {
  const world = standardWorld()
  const [image, ...others] = world.images
  if (!image) throw new Error('The standard world has an image')
  const images = [{ ...image, deprecated: '2026-01-02T00:00:00.000Z' }, ...others]
  await using ec2 = await startEc2({ world: { ...world, images } })
  const found = async (how: DescribeImagesCommandInput) => {
    const { Images } = await ec2.client.send(new DescribeImagesCommand(how))
    return Images?.map(({ ImageId }) => ImageId)
  }
  const Filters = [{ Name: 'image-id', Values: [image.id] }]
  expect(await found({ Filters })).toEqual([image.id])
  await ec2.clock.advance(48 * 3_600_000)
  expect(await found({ Filters })).toEqual([])
  expect(await found({ Filters, IncludeDeprecated: true })).toEqual([image.id])
  expect(await found({ ImageIds: [image.id] })).toEqual([image.id])
  await ec2.launchOne({ ImageId: image.id })
})

test('types are offered in some zones only, and in the region', async () => {
  const offered = async (how: DescribeInstanceTypeOfferingsCommandInput) => {
    const Filters = [{ Name: 'instance-type', Values: ['g5.xlarge'] }]
    const { InstanceTypeOfferings } = await ec2.client.send(
      new DescribeInstanceTypeOfferingsCommand({ Filters, ...how }),
    )
    return InstanceTypeOfferings?.map(({ Location }) => Location)
  }
  expect(await offered({})).toEqual(['us-east-1'])
  expect(await offered({ LocationType: 'availability-zone' })).toEqual(['us-east-1a', 'us-east-1b'])
  expect(await offered({ LocationType: 'availability-zone-id' })).toEqual(['use1-az1', 'use1-az2'])
})

test('images are found by owner, name pattern and architecture', async () => {
  const find = async (over: object) => {
    const Filters = [
      { Name: 'name', Values: ['capa-ami-ubuntu-24.04-?1.36.3-*'] },
      { Name: 'architecture', Values: ['arm64'] },
    ]
    const { Images } = await ec2.client.send(new DescribeImagesCommand({ Filters, ...over }))
    return Images?.map(({ Architecture, CreationDate }) => [Architecture, CreationDate])
  }
  expect(await find({ Owners: ['819546954734'] })).toEqual([['arm64', '2026-01-01T00:00:00.000Z']])
  expect(await find({ Owners: ['self'] })).toEqual([])
})

test('a subnet says how many addresses it has left', async () => {
  await using own = await startEc2()
  const free = async () => {
    const { Subnets } = await own.client.send(new DescribeSubnetsCommand({ SubnetIds: [own.simulator.facts.subnet] }))
    return Subnets?.[0]?.AvailableIpAddressCount
  }
  expect(await free()).toBe(2 ** 14 - 5)
  await own.launch({ MinCount: 3, MaxCount: 3 })
  expect(await free()).toBe(2 ** 14 - 8)
})

test('instance types say what a node of them has, and whether there is a spot market', async () => {
  const { InstanceTypes } = await ec2.client.send(
    new DescribeInstanceTypesCommand({
      InstanceTypes: ['g5.12xlarge', 'm6g.large', 'inf2.xlarge', 'u-3tb1.56xlarge'] as never,
    }),
  )
  expect(
    InstanceTypes?.map((type) => [
      type.InstanceType,
      type.VCpuInfo?.DefaultVCpus,
      type.MemoryInfo?.SizeInMiB,
      type.ProcessorInfo?.SupportedArchitectures,
      type.GpuInfo?.Gpus?.[0]?.Count,
      type.NeuronInfo?.NeuronDevices?.[0]?.Count,
      type.SupportedUsageClasses?.includes('spot'),
    ]),
  ).toEqual([
    ['m6g.large', 2, 8192, ['arm64'], undefined, undefined, true],
    ['g5.12xlarge', 48, 196_608, ['x86_64'], 4, undefined, true],
    ['inf2.xlarge', 4, 16_384, ['x86_64'], undefined, 1, true],
    ['u-3tb1.56xlarge', 224, 3_145_728, ['x86_64'], undefined, undefined, false],
  ])
})

test('the catalogue comes in pages', async () => {
  const pages: number[] = []
  const names = new Set<string | undefined>()
  for await (const { InstanceTypes = [] } of paginateDescribeInstanceTypes({ client: ec2.client, pageSize: 5 }, {})) {
    pages.push(InstanceTypes.length)
    for (const { InstanceType } of InstanceTypes) names.add(InstanceType)
  }
  expect(pages).toEqual([5, 5, 5, 4])
  expect(names.size).toBe(19)
})

test.each([
  ['a VPC', new DescribeVpcsCommand({ VpcIds: [`vpc-${nowhere}`] }), 'InvalidVpcID.NotFound'],
  ['a subnet', new DescribeSubnetsCommand({ SubnetIds: [`subnet-${nowhere}`] }), 'InvalidSubnetID.NotFound'],
  ['a group', new DescribeSecurityGroupsCommand({ GroupIds: [`sg-${nowhere}`] }), 'InvalidGroup.NotFound'],
  ['an image', new DescribeImagesCommand({ ImageIds: [`ami-${nowhere}`] }), 'InvalidAMIID.NotFound'],
  ['a malformed image', new DescribeImagesCommand({ ImageIds: ['ami-1'] }), 'InvalidAMIID.Malformed'],
  ['a key pair', new DescribeKeyPairsCommand({ KeyNames: ['gone'] }), 'InvalidKeyPair.NotFound'],
  ['a type', new DescribeInstanceTypesCommand({ InstanceTypes: ['m5.huge' as 'm5.large'] }), 'InvalidInstanceType'],
  ['a zone', new DescribeAvailabilityZonesCommand({ ZoneNames: ['us-east-1z'] }), 'InvalidParameterValue'],
  ['more types than a page', new DescribeInstanceTypesCommand({ MaxResults: 101 }), 'InvalidParameterValue'],
  [
    'a filter that key pairs have not',
    new DescribeKeyPairsCommand({ Filters: [{ Name: 'vpc-id', Values: ['x'] }] }),
    'InvalidParameterValue',
  ],
])('asking for %s that is not there is refused', async (_, command, code) => {
  const refusal = await refusalOf(ec2.client.send(command))
  expect(refusal).toMatchObject({ code, status: 400 })
})
