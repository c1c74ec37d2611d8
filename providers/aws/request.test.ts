import { describe, expect, it } from 'vitest'
import type { AWSClusterSpec } from '../../api/generated/aws-cluster.ts'
import type { AWSMachineSpec } from '../../api/generated/aws-machine.ts'
import type { InfraCluster, InfraMachine } from '../../api/machine.ts'
import { CloudError } from '../errors.ts'
import type { Launch } from '../instances.ts'
import { plan, runInstances } from './request.ts'

const ami = { id: 'ami-0123456789abcdef0' }
const network = {
  subnets: [
    { id: 'subnet-public', availabilityZone: 'us-east-1a', isPublic: true },
    { id: 'subnet-a', availabilityZone: 'us-east-1a' },
    { id: 'subnet-b', availabilityZone: 'us-east-1b' },
  ],
}

function planned(machine: Partial<AWSMachineSpec>, cluster: Partial<AWSClusterSpec> = {}, failureDomain?: string) {
  return plan({
    machine: { spec: { instanceType: 'm5.large', ami, ...machine } } as unknown as InfraMachine,
    cluster: { spec: { region: 'us-east-1', network, ...cluster } } as unknown as InfraCluster,
    ...(failureDomain ? { failureDomain } : {}),
  })
}

function launch(machine: Partial<AWSMachineSpec>, cluster: Partial<AWSClusterSpec> = {}): Launch {
  return {
    owner: 'owner-1',
    machine: 'default/m1',
    token: 'token-1',
    scope: { cloud: 'aws', identity: 'default', region: 'us-east-1' },
    request: planned(machine, cluster).request,
    userData: new TextEncoder().encode('#cloud-config'),
    clusterName: 'c1',
  }
}

describe('the golden request', () => {
  it('of a spot machine with everything', () => {
    const spot = launch(
      {
        marketType: 'Spot',
        spotMarketOptions: { maxPrice: '0.05' },
        subnet: { id: 'subnet-own' },
        additionalSecurityGroups: [{ id: 'sg-2' }],
        iamInstanceProfile: 'nodes',
        sshKeyName: 'key-1',
        rootVolume: { size: 100, type: 'gp3', iops: 4000, throughput: 250, encrypted: true, encryptionKey: 'alias/k' },
        additionalTags: { team: 'a', Name: 'mine', 'spot.cluster.x-k8s.io/owner-id': 'stolen' },
      },
      { network: { ...network, securityGroupOverrides: { node: 'sg-1' } }, additionalTags: { team: 'b', cost: 'x' } },
    )
    const Tags = [
      { Key: 'Name', Value: 'mine' },
      { Key: 'team', Value: 'a' },
      { Key: 'cost', Value: 'x' },
      { Key: 'kubernetes.io/cluster/c1', Value: 'owned' },
      { Key: 'spot.cluster.x-k8s.io/owner-id', Value: 'owner-1' },
      { Key: 'spot.cluster.x-k8s.io/machine', Value: 'default/m1' },
      { Key: 'spot.cluster.x-k8s.io/attempt', Value: 'token-1' },
    ]
    expect(runInstances(spot, '/dev/sda1')).toEqual({
      ClientToken: 'token-1',
      MinCount: 1,
      MaxCount: 1,
      ImageId: ami.id,
      InstanceType: 'm5.large',
      KeyName: 'key-1',
      IamInstanceProfile: { Name: 'nodes' },
      NetworkInterfaces: [
        { DeviceIndex: 0, SubnetId: 'subnet-own', DeleteOnTermination: true, Groups: ['sg-1', 'sg-2'] },
      ],
      UserData: 'I2Nsb3VkLWNvbmZpZw==',
      MetadataOptions: { HttpEndpoint: 'enabled', HttpTokens: 'required' },
      InstanceMarketOptions: {
        MarketType: 'spot',
        SpotOptions: { SpotInstanceType: 'one-time', InstanceInterruptionBehavior: 'terminate', MaxPrice: '0.05' },
      },
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
      ],
      TagSpecifications: ['instance', 'volume', 'network-interface', 'spot-instances-request'].map((ResourceType) => ({
        ResourceType,
        Tags,
      })),
    })
  })

  it('of an on-demand machine with nothing: no market, no key, no profile, no volume', () => {
    const request = runInstances(launch({}), undefined)
    expect(Object.keys(request).toSorted()).toEqual([
      'ClientToken',
      'ImageId',
      'InstanceType',
      'MaxCount',
      'MetadataOptions',
      'MinCount',
      'NetworkInterfaces',
      'TagSpecifications',
      'UserData',
    ])
    expect(request.TagSpecifications?.map(({ ResourceType }) => ResourceType)).not.toContain('spot-instances-request')
  })
})

describe('the market', () => {
  it.each([
    [{ marketType: 'Spot' }, 'Spot'],
    [{ spotMarketOptions: {} }, 'Spot'],
    [{ marketType: 'OnDemand' }, 'OnDemand'],
    [{}, 'OnDemand'],
  ] as const)('of %o is %s', (machine, capacityType) => {
    expect(planned(machine).offering.capacityType).toBe(capacityType)
  })

  it('asks for no maximum price when none is set: the on-demand price is the limit then', () => {
    const { InstanceMarketOptions } = runInstances(launch({ spotMarketOptions: {} }), undefined)
    expect(InstanceMarketOptions?.SpotOptions).not.toHaveProperty('MaxPrice')
  })
})

describe('the subnet', () => {
  const subnetOf = (...args: Parameters<typeof planned>) => planned(...args).request['subnetId']

  it('is the machine’s own before all', () => {
    expect(subnetOf({ subnet: { id: 'subnet-own' } }, {}, 'us-east-1b')).toBe('subnet-own')
  })

  it('is a private one, in the failure domain where there is one', () => {
    expect(subnetOf({})).toBe('subnet-a')
    expect(subnetOf({}, {}, 'us-east-1b')).toBe('subnet-b')
  })

  it('missing is an invalid configuration that names the field', () => {
    const none = () => planned({}, { network: {} })
    expect(none).toThrow(CloudError)
    expect(none).toThrow(/spec\.network\.subnets of the AWSCluster/)
    expect(() => planned({}, {}, 'us-east-1c')).toThrow(/No subnet in us-east-1c/)
  })
})
