import { nic, subnet, nowhere, type Trap } from './trap.ts'

/** What a launch names must be there, and what it counts must make sense. */
export const namesAndNumbers: readonly Trap[] = [
  { trap: 'an image id that is none', said: { ImageId: 'ubuntu' }, code: 'InvalidAMIID.Malformed', message: 'ubuntu' },
  {
    trap: 'an image that is not there',
    said: { ImageId: `ami-${nowhere}` },
    code: 'InvalidAMIID.NotFound',
    message: `The image id '[ami-${nowhere}]' does not exist`,
  },
  {
    trap: 'an instance type that EC2 has not',
    said: { InstanceType: 'm5.huge' as 'm5.large' },
    code: 'InvalidParameterValue',
    message: "Invalid value 'm5.huge' for InstanceType.",
  },
  {
    trap: 'an arm64 type with an x86_64 image',
    said: { InstanceType: 'm6g.large' },
    code: 'InvalidParameterValue',
    message: "The architecture 'arm64' of the specified instance type does not match",
  },
  { trap: 'a subnet id that is none', said: nic({ SubnetId: 'a' }), code: 'InvalidSubnetID.Malformed', message: '"a"' },
  {
    trap: 'a subnet that is not there',
    said: nic({ SubnetId: `subnet-${nowhere}` }),
    code: 'InvalidSubnetID.NotFound',
    message: `The subnet ID 'subnet-${nowhere}' does not exist`,
  },
  {
    trap: 'a security group id that is none',
    said: nic({ SubnetId: subnet, Groups: ['nodes'] }),
    code: 'InvalidGroupId.Malformed',
    message: '"nodes"',
  },
  {
    trap: 'a security group that is not there',
    said: nic({ SubnetId: subnet, Groups: [`sg-${nowhere}`] }),
    code: 'InvalidGroup.NotFound',
    message: `sg-${nowhere}`,
  },
  {
    trap: 'a key pair that is not there',
    said: { KeyName: 'gone' },
    code: 'InvalidKeyPair.NotFound',
    message: "The key pair 'gone' does not exist",
  },
  { trap: 'a key pair without a name', said: { KeyName: '' }, code: 'InvalidParameterValue', message: 'blank' },
  {
    trap: 'an instance profile that is not there',
    said: { IamInstanceProfile: { Name: 'gone' } },
    code: 'InvalidParameterValue',
    message: 'Value (gone) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name',
  },
  {
    trap: 'a launch template that is not there',
    said: { LaunchTemplate: { LaunchTemplateId: 'lt-0' } },
    code: 'InvalidLaunchTemplateId.NotFound',
    message: 'lt-0',
  },
  { trap: 'MinCount 0', said: { MinCount: 0 }, code: 'InvalidParameterValue', message: 'minCount' },
  {
    trap: 'MaxCount below MinCount',
    said: { MinCount: 3, MaxCount: 2 },
    code: 'InvalidParameterValue',
    message: 'maxCount',
  },
  {
    trap: 'a client token of 65 characters',
    said: { ClientToken: 't'.repeat(65) },
    code: 'InvalidParameterValue',
    message: '64 ASCII',
  },
  {
    trap: 'a client token beyond ASCII',
    said: { ClientToken: 'träger' },
    code: 'InvalidParameterValue',
    message: '64 ASCII',
  },
]
