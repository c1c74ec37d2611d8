import type { Account } from '../account.ts'
import { badField, IbmError } from '../http/errors.ts'
import { findOne, kinds } from '../ids.ts'
import type { LaunchPlan } from '../instances/instance.ts'
import { instanceProfiles, isOfferedIn, usualProfile, type InstanceProfile } from '../supply/instance-profiles.ts'
import type { Image, Key, World, Zone } from '../world.ts'
import { checkAvailability } from './availability.ts'
import { checkName, checkNetwork, checkResourceGroup, checkVpc, nameTaken } from './network.ts'
import type { CreateInstanceValues } from './parameters.ts'
import { checkSettings, metadataOf, policyOf } from './settings.ts'
import { checkUserData } from './user-data.ts'
import { checkVolumes } from './volumes.ts'

/** All that IBM checks before it says yes, and what it then makes. */
export function plan(values: CreateInstanceValues, version: string, account: Account): LaunchPlan {
  const { world, instances } = account
  const name = checkName(values.name, 'name')
  const zone = checkZone(values.zone, world)
  const image = checkImage(values.image, zone, world)
  const profile = checkProfile(values.profile, { image, zone, world })
  const resourceGroup = checkResourceGroup(values.resource_group, account, 'resource_group') ?? usualGroup(world)
  const interfaces = checkNetwork(values, { account, resourceGroup })
  checkPlaces(interfaces, zone)
  const settings = checkSettings(values, profile)
  const wanted = { profile, zone: zone.name, percentage: settings.percentage, version }
  const planned = {
    name,
    zone,
    vpc: checkVpc(values, interfaces, account),
    profile,
    image,
    resourceGroup,
    keys: checkKeys(values.keys ?? [], world),
    ...checkUserData(values.user_data, world.clusterName),
    ...checkAvailability(values, wanted, account),
    policy: policyOf(values.availability_policy),
    metadata: metadataOf(values.metadata_service),
    interfaces,
    volumes: checkVolumes(values, { account, image, zone, resourceGroup }),
    settings,
  } satisfies LaunchPlan
  if (name !== undefined && instances.hasName(name)) throw nameTaken(name)
  return planned
}

function checkPlaces(interfaces: LaunchPlan['interfaces'], zone: Zone): void {
  const stray = interfaces.find((one) => one.interface.subnet.zone.name !== zone.name)
  if (!stray) return
  const { subnet } = stray.interface
  const sentence = `The subnet ${subnet.name} is in zone ${subnet.zone.name}, not in ${zone.name}.`
  throw new IbmError('invalid_zone', sentence, { name: 'zone.name', type: 'field', value: zone.name })
}

function checkZone(identity: CreateInstanceValues['zone'], world: World): Zone {
  const kind = { path: `regions/${world.region}/zones`, type: 'zone' }
  return findOne(identity, { kind, items: world.zones, place: world, field: 'zone' })
}

function checkImage(identity: CreateInstanceValues['image'], zone: Zone, world: World): Image {
  if (!identity) throw badField('image', 'Expected only one oneOf fields to be set: got 0')
  const image = findOne(identity, { kind: kinds.image, items: world.images, place: world, field: 'image' })
  const isUsable = ['available', 'deprecated', 'partially_available'].includes(image.status)
  const isHere = image.zones?.includes(zone.name) ?? true
  if (isUsable && isHere) return image
  const where = isUsable ? `not available in zone ${zone.name}` : image.status
  throw badField('image', `The image ${image.name} cannot be used: it is ${where}.`, image.id)
}

interface Wanted {
  readonly image: Image
  readonly zone: Zone
  readonly world: World
}

function checkProfile(given: CreateInstanceValues['profile'], { image, zone, world }: Wanted): InstanceProfile {
  const identity = given ?? { by: 'name', value: usualProfile }
  const profile = findOne(identity, { kind: kinds.profile, items: instanceProfiles, place: world, field: 'profile' })
  if (profile.architecture !== image.architecture) {
    const sentence = `The image ${image.name} is for ${image.architecture}, the profile for ${profile.architecture}.`
    throw badField('profile', sentence, profile.name)
  }
  if (isOfferedIn(profile, zone.name)) return profile
  throw badField('profile', `The profile ${profile.name} is not available in zone ${zone.name}.`, profile.name)
}

function checkKeys(identities: NonNullable<CreateInstanceValues['keys']>, world: World): readonly Key[] {
  return identities.map((identity, at) =>
    findOne(identity, { kind: kinds.key, items: world.keys, place: world, field: `keys[${at}]` }),
  )
}

/** The account's own, where the request names none. */
function usualGroup({ resourceGroups }: World) {
  const [first] = resourceGroups
  const usual = resourceGroups.find(({ name }) => name === 'Default') ?? first
  if (!usual) throw new Error('A simulated account needs a resource group')
  return usual
}
