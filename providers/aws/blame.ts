import { CloudError, inTable } from '../errors.ts'

const volumes = 'spec.rootVolume or spec.nonRootVolumes of the AWSMachine'
const subnets = 'spec.subnet of the AWSMachine or spec.network.subnets of the AWSCluster'
const groups =
  'spec.additionalSecurityGroups of the AWSMachine or spec.network.securityGroupOverrides of the AWSCluster'
const image = 'spec.ami.id of the AWSMachine'
const reservation = 'spec.capacityReservationId of the AWSMachine'

/** Which field somebody has to look at, by the code with which EC2 refuses a launch. */
const byCode: Readonly<Record<string, string>> = {
  'InvalidSubnetID.NotFound': subnets,
  'InvalidSubnetID.Malformed': subnets,
  'InvalidGroup.NotFound': groups,
  'InvalidSecurityGroupID.NotFound': groups,
  'InvalidGroupId.Malformed': groups,
  SecurityGroupsPerInterfaceLimitExceeded: groups,
  'InvalidPlacementGroup.Unknown': 'spec.placementGroupName of the AWSMachine',
  'InvalidAMIID.NotFound': image,
  'InvalidAMIID.Malformed': image,
  'InvalidAMIID.Unavailable': image,
  'InvalidKeyPair.NotFound': 'spec.sshKeyName of the AWSMachine or of the AWSCluster',
  'InvalidUserData.Malformed': 'the bootstrap data',
  InvalidBlockDeviceMapping: volumes,
  'InvalidSnapshot.NotFound': volumes,
  VolumeTypeNotAvailableInZone: volumes,
  SpotMaxPriceTooLow: 'spec.spotMarketOptions.maxPrice of the AWSMachine',
  'InvalidCapacityReservationId.NotFound': reservation,
  'InvalidCapacityReservationId.Malformed': reservation,
  ReservationCapacityExceeded: reservation,
  TagLimitExceeded: 'spec.additionalTags of the AWSMachine or of the AWSCluster',
}

/** Codes that may mean anything say it in their sentence. The first that fits. */
const byWords: readonly (readonly [RegExp, string])[] = [
  [/architecture/i, 'spec.instanceType and spec.ami of the AWSMachine'],
  [/instance ?profile|iamInstanceProfile/i, 'spec.iamInstanceProfile of the AWSMachine'],
  [/volume|iops|throughput|snapshot/i, volumes],
  [/instance ?type/i, 'spec.instanceType of the AWSMachine'],
  [/placement/i, 'spec.placementGroupName of the AWSMachine'],
]

/** The refusal of a launch, with the field that it is about where EC2 lets it be known. */
export function blamed(error: CloudError): CloudError {
  if (!['invalid', 'price', 'reservation'].includes(error.kind)) return error
  const { kind, code, message } = error
  const field = inTable(byCode, code) ?? byWords.find(([words]) => words.test(message))?.[1]
  return field === undefined ? error : new CloudError(kind, { code, message: `${field}: ${message}`, cause: error })
}
