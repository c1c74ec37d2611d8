import { plain, nic, subnet, group, otherVpcGroup, type Trap } from './trap.ts'

/** Where a launch goes: subnets, groups, interfaces, addresses, zones. */
export const places: readonly Trap[] = [
  {
    trap: 'a security group of another VPC than the subnet',
    said: nic({ SubnetId: subnet, Groups: [otherVpcGroup] }),
    code: 'InvalidParameter',
    message: `Security group ${otherVpcGroup} and subnet ${subnet} belong to different networks.`,
  },
  {
    trap: 'a top-level subnet beside network interfaces',
    said: { SubnetId: subnet },
    code: 'InvalidParameterCombination',
    message: 'Network interfaces and an instance-level subnet ID may not be specified on the same request',
  },
  {
    trap: 'top-level security groups beside network interfaces',
    said: { SecurityGroupIds: [group] },
    code: 'InvalidParameterCombination',
    message: 'Network interfaces and instance-level security groups may not be specified on the same request',
  },
  {
    trap: 'group names beside a subnet',
    said: plain({ SubnetId: subnet, SecurityGroups: ['spot-nodes'] }),
    code: 'InvalidParameterCombination',
    message: 'The parameter groupName cannot be used with the parameter subnet',
  },
  {
    trap: 'a fast network of a type that has none',
    said: nic({ SubnetId: subnet, InterfaceType: 'efa' }),
    code: 'UnsupportedOperation',
    message: 'EFA interfaces are not supported on m5.large',
  },
  {
    trap: 'a network interface without an index',
    said: { NetworkInterfaces: [{ SubnetId: subnet }] },
    code: 'InvalidParameterValue',
    message: 'Each network interface requires a device index.',
  },
  {
    trap: 'no network interface at index 0',
    said: { NetworkInterfaces: [{ DeviceIndex: 1, SubnetId: subnet }] },
    code: 'InvalidParameterCombination',
    message: 'device index 0',
  },
  {
    trap: 'more network interfaces than the type can have',
    said: { NetworkInterfaces: [0, 1, 2, 3].map((DeviceIndex) => ({ DeviceIndex, SubnetId: subnet })) },
    code: 'AttachmentLimitExceeded',
    message: 'Interface count 4 exceeds the limit for m5.large',
  },
  {
    trap: 'a public address with several network interfaces',
    said: {
      NetworkInterfaces: [
        { DeviceIndex: 0, SubnetId: subnet, AssociatePublicIpAddress: true },
        { DeviceIndex: 1, SubnetId: subnet },
      ],
    },
    code: 'InvalidParameterCombination',
    message: 'associatePublicIPAddress',
  },
  {
    trap: 'a zone that is not the one of the subnet',
    said: { Placement: { AvailabilityZone: 'us-east-1b' } },
    code: 'InvalidParameterValue',
    message: 'us-east-1b',
  },
  {
    trap: 'an address outside of the subnet',
    said: nic({ SubnetId: subnet, PrivateIpAddress: '10.9.9.9' }),
    code: 'InvalidParameterValue',
    message: "Address 10.9.9.9 does not fall within the subnet's address range",
  },
  {
    trap: 'a type that the zone does not offer',
    said: { InstanceType: 'g5.xlarge', NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: 'subnet-0c1a0000000000030' }] },
    code: 'Unsupported',
    message:
      'Your requested instance type (g5.xlarge) is not supported in your requested Availability Zone (us-east-1c).',
  },
]
