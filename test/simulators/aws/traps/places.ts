import { plain, nic, subnet, group, otherVpcGroup, trapsOf } from './trap.ts'

/** Where a launch goes: subnets, groups, interfaces, addresses, zones. */
export const places = trapsOf({
  InvalidParameter: [
    [
      'a security group of another VPC than the subnet',
      nic({ SubnetId: subnet, Groups: [otherVpcGroup] }),
      `Security group ${otherVpcGroup} and subnet ${subnet} belong to different networks.`,
    ],
  ],
  InvalidParameterCombination: [
    [
      'a top-level subnet beside network interfaces',
      { SubnetId: subnet },
      'Network interfaces and an instance-level subnet ID may not be specified on the same request',
    ],
    [
      'top-level security groups beside network interfaces',
      { SecurityGroupIds: [group] },
      'Network interfaces and instance-level security groups may not be specified on the same request',
    ],
    [
      'group names beside a subnet',
      plain({ SubnetId: subnet, SecurityGroups: ['spot-nodes'] }),
      'The parameter groupName cannot be used with the parameter subnet',
    ],
    [
      'no network interface at index 0',
      { NetworkInterfaces: [{ DeviceIndex: 1, SubnetId: subnet }] },
      'device index 0',
    ],
    [
      'a public address with several network interfaces',
      {
        NetworkInterfaces: [
          { DeviceIndex: 0, SubnetId: subnet, AssociatePublicIpAddress: true },
          { DeviceIndex: 1, SubnetId: subnet },
        ],
      },
      'associatePublicIPAddress',
    ],
  ],
  UnsupportedOperation: [
    [
      'a fast network of a type that has none',
      nic({ SubnetId: subnet, InterfaceType: 'efa' }),
      'EFA interfaces are not supported on m5.large',
    ],
  ],
  InvalidParameterValue: [
    [
      'a network interface without an index',
      { NetworkInterfaces: [{ SubnetId: subnet }] },
      'Each network interface requires a device index.',
    ],
    ['a zone that is not the one of the subnet', { Placement: { AvailabilityZone: 'us-east-1b' } }, 'us-east-1b'],
    [
      'an address outside of the subnet',
      nic({ SubnetId: subnet, PrivateIpAddress: '10.9.9.9' }),
      "Address 10.9.9.9 does not fall within the subnet's address range",
    ],
  ],
  AttachmentLimitExceeded: [
    [
      'more network interfaces than the type can have',
      { NetworkInterfaces: [0, 1, 2, 3].map((DeviceIndex) => ({ DeviceIndex, SubnetId: subnet })) },
      'Interface count 4 exceeds the limit for m5.large',
    ],
  ],
  Unsupported: [
    [
      'a type that the zone does not offer',
      { InstanceType: 'g5.xlarge', NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: 'subnet-0c1a0000000000030' }] },
      'Your requested instance type (g5.xlarge) is not supported in your requested Availability Zone (us-east-1c).',
    ],
  ],
})
