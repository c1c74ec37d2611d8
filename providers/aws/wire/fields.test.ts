import { expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { withFields } from './fields.ts'

const said = (kind: RefusalKind, code: string, message: string) => withFields(new CloudError(kind, { code, message }))

it.each<[code: string, message: string, field: string]>([
  ['InvalidKeyPair.NotFound', "The key pair 'lost' does not exist", 'spec.sshKeyName'],
  [
    'InvalidParameterValue',
    'Value (nobody) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name',
    'spec.iamInstanceProfile',
  ],
  ['InvalidParameterValue', "Invalid value 'm5.humongous' for InstanceType.", 'spec.instanceType'],
  [
    'InvalidParameterValue',
    "The architecture 'arm64' of the specified instance type does not match the architecture 'x86_64' of the specified AMI.",
    'spec.instanceType, spec.ami',
  ],
  ['InvalidParameterCombination', 'The parameter iops is not supported for gp2 volumes.', 'spec.rootVolume'],
  ['Client.InvalidKMSKey.InvalidState', 'The KMS key provided is in an incorrect state', 'spec.rootVolume'],
  ['CustomerKeyHasBeenRevoked', 'The customer key has been revoked.', 'spec.rootVolume'],
  ['UnknownVolumeType', 'The volume type is not known.', 'spec.rootVolume'],
  ['VolumeIOPSLimit', 'The maximum has been reached.', 'spec.rootVolume'],
  ['BootForVolumeTypeUnsupported', 'It cannot be booted from.', 'spec.rootVolume'],
  ['EncryptedVolumesNotSupported', 'The type does not support it.', 'spec.rootVolume'],
  ['InvalidSecurityGroupId.Malformed', 'Invalid id: "sg"', 'spec.additionalSecurityGroups'],
  ['SecurityGroupsPerInstanceLimitExceeded', 'The limit has been reached.', 'spec.additionalSecurityGroups'],
  ['SecurityGroupLimitExceeded', 'The limit has been reached.', 'spec.additionalSecurityGroups'],
  ['InvalidSubnet', 'It is not valid.', 'spec.subnet'],
  ['InvalidSubnetId.NotFound', 'It does not exist.', 'spec.subnet'],
  ['InvalidPlacementGroupId.Malformed', 'Invalid id.', 'spec.placementGroupName'],
  ['TagPolicyViolation', 'The tag policy does not allow it.', 'spec.additionalTags'],
  ['InvalidTagKey.Malformed', 'The key is not valid.', 'spec.additionalTags'],
  ['InvalidTenancy', 'It is not valid.', 'spec.tenancy'],
  ['UnsupportedTenancy', 'It is not supported.', 'spec.tenancy'],
  ['PrivateIpAddressLimitExceeded', 'The limit has been reached.', 'spec.instanceType'],
  ['InvalidInterface.IpAddressLimitExceeded', 'The limit has been reached.', 'spec.instanceType'],
])('%s: %s', (code, message, field) => {
  const error = said('invalid', code, message)
  expect(error).toMatchObject({ kind: 'invalid', code })
  expect(error.message).toMatch(new RegExp(`^${field}\\b.* of the AWSMachine.*: `))
  expect(error.message.endsWith(message)).toBe(true)
})

it('leaves alone what names no field, and what is not about the spec', () => {
  expect(said('invalid', 'InvalidParameterValue', 'Something is wrong.').message).toBe('Something is wrong.')
  const noCapacity = 'We have no m5.large capacity in the subnet you asked for.'
  expect(said('capacity', 'InsufficientInstanceCapacity', noCapacity).message).toBe(noCapacity)
})
