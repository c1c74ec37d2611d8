import type { CloudError } from '../../../api/cloud-error.ts'
import { fieldsOf, naming, ofSpecs } from '../../shared/fields.ts'

const machine = fieldsOf('AWSMachine')
const cluster = fieldsOf('AWSCluster')
const groups = `${machine('additionalSecurityGroups')}, ${cluster('network.securityGroupOverrides')}`
const subnets = `${machine('subnet')}, ${cluster('network.subnets')}`
const volumes = machine('rootVolume', 'nonRootVolumes')
const keys = machine('rootVolume.encryptionKey', 'nonRootVolumes[].encryptionKey')

/** By EC2's code, for codes that can only mean these fields. */
const byCode: Readonly<Record<string, string>> = {
  'InvalidAMIID.NotFound': machine('ami.id'),
  'InvalidAMIID.Malformed': machine('ami.id'),
  'InvalidAMIID.Unavailable': machine('ami.id'),
  'InvalidKeyPair.NotFound': machine('sshKeyName'),
  'InvalidSubnetID.NotFound': subnets,
  'InvalidSubnetID.Malformed': subnets,
  'InvalidSubnetId.NotFound': subnets,
  InvalidSubnet: subnets,
  'InvalidGroup.NotFound': groups,
  'InvalidSecurityGroupID.NotFound': groups,
  'InvalidGroupId.Malformed': groups,
  'InvalidSecurityGroupId.Malformed': groups,
  SecurityGroupsPerInterfaceLimitExceeded: groups,
  SecurityGroupsPerInstanceLimitExceeded: groups,
  SecurityGroupLimitExceeded: groups,
  PrivateIpAddressLimitExceeded: machine('instanceType'),
  'InvalidInterface.IpAddressLimitExceeded': machine('instanceType'),
  'InvalidPlacementGroup.Unknown': machine('placementGroupName'),
  'InvalidPlacementGroupId.Malformed': machine('placementGroupName'),
  InvalidTenancy: machine('tenancy'),
  UnsupportedTenancy: machine('tenancy'),
  'InvalidCapacityReservationId.NotFound': machine('capacityReservationId'),
  'InvalidCapacityReservationId.Malformed': machine('capacityReservationId'),
  InvalidCapacityReservationState: machine('capacityReservationId'),
  InvalidBlockDeviceMapping: volumes,
  'InvalidSnapshot.NotFound': volumes,
  'Client.InvalidSnapshot.NotFound': volumes,
  'Client.InternalError': volumes,
  'Client.InvalidKMSKey.InvalidState': keys,
  CustomerKeyHasBeenRevoked: keys,
  VolumeTypeNotAvailableInZone: volumes,
  UnknownVolumeType: volumes,
  BootForVolumeTypeUnsupported: volumes,
  EncryptedVolumesNotSupported: volumes,
  VolumeIOPSLimit: volumes,
  AttachmentLimitExceeded: volumes,
  SpotMaxPriceTooLow: machine('spotMarketOptions.maxPrice'),
  TagLimitExceeded: machine('additionalTags'),
  TagPolicyViolation: machine('additionalTags'),
  'InvalidTagKey.Malformed': machine('additionalTags'),
}

/** By the words of EC2's message, the first row that fits: most codes that begin with InvalidParameter say no more. */
const byMessage: readonly (readonly [RegExp, string])[] = [
  [/instance ?profile/i, machine('iamInstanceProfile')],
  [/architecture/i, machine('instanceType', 'ami')],
  [/security group/i, groups],
  [/subnet/i, subnets],
  [/\bkey ?(name|pair)\b/i, machine('sshKeyName')],
  [/\b(iops|throughput|volumes?|kms ?key ?id|encrypted)\b/i, volumes],
  [/placement|partition/i, machine('placementGroupName', 'placementGroupPartition')],
  [/tenancy/i, machine('tenancy')],
  [/reservation/i, machine('capacityReservationId')],
  [/cpu ?options|core ?count|threads ?per ?core|sev-?snp/i, machine('cpuOptions')],
  [/metadata/i, machine('instanceMetadataOptions')],
  [/interface ?type|\befa\b/i, machine('networkInterfaceType')],
  [/max ?price|spot/i, machine('spotMarketOptions')],
  [/instance ?type/i, machine('instanceType')],
]

/** The same refusal, with our names of the fields before EC2's own words. */
export const withFields: (error: CloudError) => CloudError = naming({ kinds: ofSpecs, byCode, byMessage })
