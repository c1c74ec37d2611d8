import type { Account } from '../account.ts'
import { Ec2Error, invalidValue } from '../http/errors.ts'
import { findOne, ids, names } from '../ids.ts'
import { instanceTypes, type InstanceType } from '../supply/instance-types.ts'
import type { LaunchPlan, MetadataOptions, Settings, TaggedKind } from '../instances/instance.ts'
import { checkMetadataKeys, checkTags } from '../instances/tags.ts'
import type { Image, InstanceProfile, KeyPair, Tag } from '../world.ts'
import { checkMarket, checkSupply } from './market.ts'
import { checkNetwork } from './network.ts'
import type { RunInstancesValues } from './parameters.ts'
import { checkPlacement } from './placement.ts'
import { refuseWhatIsNotThere } from './references.ts'
import { checkReservation } from './reservation.ts'
import { checkUserData } from './user-data.ts'
import { checkVolumes } from './volumes.ts'

/** All that EC2 checks before it launches anything, and what it then launches. */
export function plan(values: RunInstancesValues, account: Account): LaunchPlan {
  const { world } = account
  const count = checkCount(values)
  refuseWhatIsNotThere(values)
  const image = findOne(ids.image, values.ImageId, world.images, ({ id }) => id)
  const type = checkType(values.InstanceType, image)
  const { market, spot } = checkMarket(values.InstanceMarketOptions, type)
  const placement = checkPlacement(values.Placement, market, world)
  const interfaces = checkNetwork(values, type, account)
  const [{ subnet }] = interfaces
  const metadata = checkMetadata(values.MetadataOptions)
  const tags = checkTagSpecifications(values.TagSpecification ?? [], spot !== undefined)
  if (metadata.tags === 'enabled') checkMetadataKeys(tags.instance)
  const launch = { type, zone: subnet.zone.name, market, count }
  const reservation = checkReservation(values.CapacityReservationSpecification, launch, account)
  const planned = {
    image,
    type,
    subnet,
    count: reservation ? { ...count, max: Math.min(count.max, account.reservations.available(reservation)) } : count,
    interfaces,
    volumes: checkVolumes(values.BlockDeviceMapping, image),
    tags,
    market,
    spot,
    reservation,
    placement,
    key: checkKey(values.KeyName, world.keyPairs),
    profile: checkProfile(values.IamInstanceProfile, world.instanceProfiles),
    hasUserData: checkUserData(values.UserData) > 0,
    metadata,
    clientToken: values.ClientToken ?? '',
    settings: settings(values),
  }
  return { ...planned, count: checkSupply(planned, account) }
}

function checkCount({ MinCount: min, MaxCount: max }: RunInstancesValues): LaunchPlan['count'] {
  if (min < 1) throw invalidValue(`Value (${min}) for parameter minCount is invalid. Must be at least 1.`)
  if (max < min)
    throw invalidValue(`Value (${max}) for parameter maxCount is invalid. Must be at least minCount (${min}).`)
  return { min, max }
}

function checkType(name: string, image: Image): InstanceType {
  const type = instanceTypes.find((one) => one.name === name)
  if (!type) throw invalidValue(`Invalid value '${name}' for InstanceType.`)
  if (type.architecture === image.architecture) return type
  throw invalidValue(
    `The architecture '${type.architecture}' of the specified instance type does not match the architecture ` +
      `'${image.architecture}' of the specified AMI. Specify an instance type and an AMI that have matching ` +
      "architectures, and try again. You can use 'describe-instance-types' or 'describe-images' to discover the " +
      'architecture of the instance type or AMI.',
  )
}

function checkKey(name: string | undefined, keys: readonly KeyPair[]): KeyPair | undefined {
  if (name === undefined) return undefined
  if (name === '') throw invalidValue("Invalid value '' for keyPairNames. It should not be blank")
  return findOne(names.keyPair, name, keys, (key) => key.name)
}

function checkProfile(
  given: RunInstancesValues['IamInstanceProfile'],
  profiles: readonly InstanceProfile[],
): InstanceProfile | undefined {
  const { Arn: arn, Name: name } = given ?? {}
  if (arn === undefined && name === undefined) return undefined
  if (arn !== undefined && name !== undefined) {
    throw new Ec2Error(
      'InvalidParameterCombination',
      "The parameter 'iamInstanceProfile.name' may not be used in combination with 'iamInstanceProfile.arn'",
    )
  }
  const found = profiles.find((profile) => profile.arn === arn || profile.name === name)
  if (found) return found
  const [field, what] = arn === undefined ? ['name', 'name'] : ['arn', 'ARN']
  throw invalidValue(
    `Value (${arn ?? name}) for parameter iamInstanceProfile.${field} is invalid. Invalid IAM Instance Profile ${what}`,
  )
}

function checkMetadata(given: RunInstancesValues['MetadataOptions'] = {}): MetadataOptions {
  const hopLimit = given.HttpPutResponseHopLimit ?? 1
  if (hopLimit < 1 || hopLimit > 64) {
    throw invalidValue(
      `Value (${hopLimit}) for parameter HttpPutResponseHopLimit is invalid. Must be between 1 and 64.`,
    )
  }
  return {
    tokens: given.HttpTokens ?? 'optional',
    hopLimit,
    endpoint: given.HttpEndpoint ?? 'enabled',
    ipv6: given.HttpProtocolIpv6 ?? 'disabled',
    tags: given.InstanceMetadataTags ?? 'disabled',
  }
}

type TagSpecifications = NonNullable<RunInstancesValues['TagSpecification']>

function checkTagSpecifications(given: TagSpecifications, isSpot: boolean): LaunchPlan['tags'] {
  const tags: Record<TaggedKind, readonly Tag[]> = {
    instance: [],
    volume: [],
    'network-interface': [],
    'spot-instances-request': [],
  }
  const seen = new Set<string>()
  for (const [at, { ResourceType: kind = '', Tag: listed }] of given.entries()) {
    if (!isTaggable(kind) || (kind === 'spot-instances-request' && !isSpot)) {
      throw invalidValue(`'${kind}' is not a valid taggable resource type for this operation.`)
    }
    if (seen.has(kind)) throw invalidValue(`Tag specification resource type '${kind}' must be specified once only.`)
    if (!listed || listed.length === 0) throw invalidValue('Tag specification must have at least one tag')
    seen.add(kind)
    tags[kind] = checkTags(listed, `TagSpecification.${at + 1}.Tag`)
  }
  return tags
}

function isTaggable(kind: string): kind is TaggedKind {
  return ['instance', 'volume', 'network-interface', 'spot-instances-request'].includes(kind)
}

function settings(values: RunInstancesValues): Settings {
  const { CapacityReservationPreference: preference, CapacityReservationTarget: target } =
    values.CapacityReservationSpecification ?? {}
  return {
    monitoring: values.Monitoring?.Enabled ?? false,
    ebsOptimized: values.EbsOptimized ?? false,
    tenancy: values.Placement?.Tenancy ?? 'default',
    reservationPreference: preference ?? 'open',
    reservationTarget: target?.CapacityReservationId,
    hostname: values.PrivateDnsNameOptions?.HostnameType ?? 'ip-name',
    isProtected: values.DisableApiTermination ?? false,
  }
}
