import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FakeLookups, image, wantedWith, type Given } from '../../../test/support/clouds/aws-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { Launch } from '../../instances.ts'
import { plan } from './plan.ts'
import { runInstances } from './request.ts'

async function launch(given: Given, userData = '#cloud-config'): Promise<Launch> {
  const lookups = new FakeLookups()
  lookups.images = [{ id: image, rootDevice: '/dev/sda1' }]
  const { request } = await plan(wantedWith(given), lookups, quietCtx())
  return {
    owner: 'owner-1',
    machine: 'default/m1',
    token: 'token-1',
    scope: { cloud: 'aws', identity: 'default', region: 'us-east-1' },
    request,
    userData: new TextEncoder().encode(userData),
    clusterName: 'c1',
  }
}

async function body(given: Given): Promise<object> {
  return runInstances(await launch(given))
}

/** What proves whose it is, after what a user gave. */
const ownTags = (...given: { Key: string; Value: string }[]) => [
  ...given,
  { Key: 'kubernetes.io/cluster/c1', Value: 'owned' },
  { Key: 'spot.cluster.x-k8s.io/owner-id', Value: 'owner-1' },
  { Key: 'spot.cluster.x-k8s.io/machine', Value: 'default/m1' },
  { Key: 'spot.cluster.x-k8s.io/attempt', Value: 'token-1' },
]
const tagged = (kinds: readonly string[], ...given: { Key: string; Value: string }[]) =>
  kinds.map((ResourceType) => ({ ResourceType, Tags: ownTags(...given) }))
const name = { Key: 'Name', Value: 'm1' }
const everywhere = ['instance', 'volume', 'network-interface']

/** In every request. */
const common = {
  ClientToken: 'token-1',
  MinCount: 1,
  MaxCount: 1,
  ImageId: image,
  InstanceType: 'm5.large',
  UserData: 'I2Nsb3VkLWNvbmZpZw==',
  NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: 'subnet-a', DeleteOnTermination: true }],
  MetadataOptions: { HttpEndpoint: 'enabled', HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
  TagSpecifications: tagged(everywhere, name),
}

describe('the golden request', () => {
  it('of a spot machine with everything', async () => {
    const spot = await body({
      machine: {
        marketType: 'Spot',
        spotMarketOptions: { maxPrice: '0.05' },
        publicIP: true,
        assignPrimaryIPv6: 'enabled',
        privateDnsName: { hostnameType: 'resource-name', enableResourceNameDnsAAAARecord: true },
        additionalSecurityGroups: [{ id: 'sg-2' }, { id: 'sg-1' }],
        iamInstanceProfile: 'nodes',
        sshKeyName: 'key-1',
        instanceMetadataOptions: {
          httpEndpoint: 'enabled',
          httpProtocolIpv6: 'enabled',
          httpPutResponseHopLimit: 2,
          httpTokens: 'optional',
        },
        rootVolume: { size: 100, type: 'gp3', iops: 4000, throughput: 250, encrypted: true, encryptionKey: 'alias/k' },
        nonRootVolumes: [
          { deviceName: '/dev/sdb', size: 125, type: 'st1' },
          { deviceName: '/dev/sdc', size: 10, encryptionKey: 'alias/k' },
        ],
        placementGroupName: 'group-1',
        placementGroupPartition: 3,
        tenancy: 'dedicated',
        cpuOptions: { confidentialCompute: 'AMDEncryptedVirtualizationNestedPaging' },
        capacityReservationPreference: 'None',
        additionalTags: {
          team: 'a',
          Name: 'mine',
          'spot.cluster.x-k8s.io/owner-id': 'stolen',
          'sigs.k8s.io/cluster-api-provider-aws/cluster/c1': 'owned',
          'kubernetes.io/cluster/other': 'owned',
          'AWS:x': 'y',
        },
      },
      cluster: {
        network: {
          securityGroupOverrides: { node: 'sg-1', lb: 'sg-3', 'node-eks-additional': 'sg-4' },
          subnets: [{ id: 'subnet-a', availabilityZone: 'us-east-1a' }],
        },
        sshKeyName: 'key-of-the-cluster',
        additionalTags: { team: 'b', cost: 'x' },
      },
    })
    expect(spot).toEqual({
      ...common,
      KeyName: 'key-1',
      IamInstanceProfile: { Name: 'nodes' },
      NetworkInterfaces: [
        {
          DeviceIndex: 0,
          SubnetId: 'subnet-a',
          DeleteOnTermination: true,
          AssociatePublicIpAddress: true,
          Groups: ['sg-1', 'sg-3', 'sg-4', 'sg-2'],
          PrimaryIpv6: true,
          Ipv6AddressCount: 1,
        },
      ],
      MetadataOptions: {
        HttpEndpoint: 'enabled',
        HttpTokens: 'optional',
        HttpPutResponseHopLimit: 2,
        HttpProtocolIpv6: 'enabled',
      },
      InstanceMarketOptions: {
        MarketType: 'spot',
        SpotOptions: { SpotInstanceType: 'one-time', InstanceInterruptionBehavior: 'terminate', MaxPrice: '0.05' },
      },
      CapacityReservationSpecification: { CapacityReservationPreference: 'none' },
      Placement: { GroupName: 'group-1', PartitionNumber: 3, Tenancy: 'dedicated' },
      CpuOptions: { AmdSevSnp: 'enabled' },
      PrivateDnsNameOptions: { HostnameType: 'resource-name', EnableResourceNameDnsAAAARecord: true },
      BlockDeviceMappings: [
        {
          DeviceName: '/dev/sda1',
          Ebs: {
            DeleteOnTermination: true,
            VolumeSize: 100,
            VolumeType: 'gp3',
            Iops: 4000,
            Throughput: 250,
            Encrypted: true,
            KmsKeyId: 'alias/k',
          },
        },
        { DeviceName: '/dev/sdb', Ebs: { DeleteOnTermination: true, VolumeSize: 125, VolumeType: 'st1' } },
        {
          DeviceName: '/dev/sdc',
          Ebs: { DeleteOnTermination: true, VolumeSize: 10, Encrypted: true, KmsKeyId: 'alias/k' },
        },
      ],
      TagSpecifications: tagged(
        [...everywhere, 'spot-instances-request'],
        { Key: 'Name', Value: 'mine' },
        { Key: 'team', Value: 'a' },
        { Key: 'cost', Value: 'x' },
      ),
    })
  })

  it('of an on-demand machine with nothing: no market, no key, no profile, no disk', async () => {
    expect(await body({})).toEqual(common)
  })

  it('of a machine in a capacity block', async () => {
    const block = await body({ machine: { marketType: 'CapacityBlock', capacityReservationId: 'cr-1' } })
    expect(block).toEqual({
      ...common,
      InstanceMarketOptions: { MarketType: 'capacity-block' },
      CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: 'cr-1' } },
    })
  })

  it('of a machine in a reservation, and nowhere else', async () => {
    const reserved = await body({
      machine: { capacityReservationId: 'cr-1', capacityReservationPreference: 'CapacityReservationsOnly' },
    })
    expect(reserved).toEqual({
      ...common,
      CapacityReservationSpecification: {
        CapacityReservationPreference: 'capacity-reservations-only',
        CapacityReservationTarget: { CapacityReservationId: 'cr-1' },
      },
    })
  })

  it('of a GPU machine with a fast network', async () => {
    const gpu = await body({
      machine: {
        instanceType: 'p4d.24xlarge',
        spotMarketOptions: {},
        networkInterfaceType: 'efa',
        placementGroupName: 'together',
        rootVolume: { size: 500 },
      },
    })
    expect(gpu).toEqual({
      ...common,
      InstanceType: 'p4d.24xlarge',
      NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: 'subnet-a', DeleteOnTermination: true, InterfaceType: 'efa' }],
      InstanceMarketOptions: {
        MarketType: 'spot',
        SpotOptions: { SpotInstanceType: 'one-time', InstanceInterruptionBehavior: 'terminate' },
      },
      Placement: { GroupName: 'together' },
      BlockDeviceMappings: [{ DeviceName: '/dev/sda1', Ebs: { DeleteOnTermination: true, VolumeSize: 500 } }],
      TagSpecifications: tagged([...everywhere, 'spot-instances-request'], name),
    })
  })
})

describe('the key', () => {
  it.each([
    ['the cluster’s where the machine says nothing', {}, 'of-cluster'],
    ['the machine’s', { sshKeyName: 'own' }, 'own'],
    ['none where the machine says so', { sshKeyName: '' }, undefined],
  ])('is %s', async (_, machine, KeyName) => {
    expect(await body({ machine, cluster: { sshKeyName: 'of-cluster' } })).toHaveProperty('KeyName', KeyName)
  })
})

describe('the user data', () => {
  const userDataOf = async (given: Given, text: string) => runInstances(await launch(given, text)).UserData ?? ''

  it('goes as it is, unless the spec says that it is not to', async () => {
    const text = '#cloud-config\n'
    for (const machine of [{}, { uncompressedUserData: true }]) {
      expect(Buffer.from(await userDataOf({ machine }, text), 'base64').toString()).toBe(text)
    }
    const packed = Buffer.from(await userDataOf({ machine: { uncompressedUserData: false } }, text), 'base64')
    expect(gunzipSync(packed).toString()).toBe(text)
  })
})

it('the frozen request is JSON and holds neither token nor user data', async () => {
  const { request } = await launch({ machine: { spotMarketOptions: {}, rootVolume: { size: 8 } } }, '#canary')
  const text = JSON.stringify(request)
  expect(text).not.toMatch(/canary|token-1|owner-1/)
  expect(runInstances({ ...(await launch({})), request: JSON.parse(text) as Launch['request'] })).toEqual(
    runInstances({ ...(await launch({})), request }),
  )
})
