import { nic, subnet, nowhere, trapsOf } from './trap.ts'

/** What a launch names must be there, and what it counts must make sense. */
export const namesAndNumbers = trapsOf({
  'InvalidAMIID.Malformed': [['an image id that is none', { ImageId: 'ubuntu' }, 'ubuntu']],
  'InvalidAMIID.NotFound': [
    ['an image that is not there', { ImageId: `ami-${nowhere}` }, `The image id '[ami-${nowhere}]' does not exist`],
  ],
  InvalidParameterValue: [
    [
      'an instance type that EC2 has not',
      { InstanceType: 'm5.huge' as 'm5.large' },
      "Invalid value 'm5.huge' for InstanceType.",
    ],
    [
      'an arm64 type with an x86_64 image',
      { InstanceType: 'm6g.large' },
      "The architecture 'arm64' of the specified instance type does not match",
    ],
    ['a key pair without a name', { KeyName: '' }, 'blank'],
    [
      'an instance profile that is not there',
      { IamInstanceProfile: { Name: 'gone' } },
      'Value (gone) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name',
    ],
    ['MinCount 0', { MinCount: 0 }, 'minCount'],
    ['MaxCount below MinCount', { MinCount: 3, MaxCount: 2 }, 'maxCount'],
    ['a client token of 65 characters', { ClientToken: 't'.repeat(65) }, '64 ASCII'],
    ['a client token beyond ASCII', { ClientToken: 'träger' }, '64 ASCII'],
  ],
  'InvalidSubnetID.Malformed': [['a subnet id that is none', nic({ SubnetId: 'a' }), '"a"']],
  'InvalidSubnetID.NotFound': [
    [
      'a subnet that is not there',
      nic({ SubnetId: `subnet-${nowhere}` }),
      `The subnet ID 'subnet-${nowhere}' does not exist`,
    ],
  ],
  'InvalidGroupId.Malformed': [
    ['a security group id that is none', nic({ SubnetId: subnet, Groups: ['nodes'] }), '"nodes"'],
  ],
  'InvalidGroup.NotFound': [
    ['a security group that is not there', nic({ SubnetId: subnet, Groups: [`sg-${nowhere}`] }), `sg-${nowhere}`],
  ],
  'InvalidKeyPair.NotFound': [
    ['a key pair that is not there', { KeyName: 'gone' }, "The key pair 'gone' does not exist"],
  ],
  'InvalidLaunchTemplateId.NotFound': [
    ['a launch template that is not there', { LaunchTemplate: { LaunchTemplateId: 'lt-0' } }, 'lt-0'],
  ],
})
