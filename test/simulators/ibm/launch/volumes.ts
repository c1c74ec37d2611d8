import type { Account } from '../account.ts'
import { badField, IbmError } from '../http/errors.ts'
import type { Resource } from '../ids.ts'
import type { VolumePlan } from '../instances/volumes.ts'
import type { Image, Zone } from '../world.ts'
import { checkName, checkResourceGroup, nameTaken } from './network.ts'
import type { CreateInstanceValues } from './parameters.ts'

/** How fast volumes of a profile are: a rate by size, or as one says. */
const volumeProfiles: Readonly<Record<string, { perGB?: number; least: number; most: number }>> = {
  'general-purpose': { perGB: 3, least: 3000, most: 48_000 },
  '5iops-tier': { perGB: 5, least: 3000, most: 48_000 },
  '10iops-tier': { perGB: 10, least: 3000, most: 48_000 },
  custom: { least: 100, most: 48_000 },
  sdp: { least: 3000, most: 64_000 },
}

export const volumeProfileNames = Object.keys(volumeProfiles)

interface Surroundings {
  readonly account: Account
  readonly image: Image
  readonly zone: Zone
  readonly resourceGroup: Resource
}

type BootAttachment = NonNullable<CreateInstanceValues['boot_volume_attachment']>
type DataAttachment = NonNullable<CreateInstanceValues['volume_attachments']>[number]
type VolumeValues = BootAttachment['volume']

export function checkVolumes(
  { boot_volume_attachment: boot, volume_attachments: data = [] }: CreateInstanceValues,
  around: Surroundings,
): readonly [VolumePlan, ...VolumePlan[]] {
  const volumes = [
    bootVolume(boot, around),
    ...data.map((one, at) => dataVolume(one, `volume_attachments[${at}]`, around)),
  ] as const
  const names = volumes.flatMap(({ name }) => name ?? [])
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw nameTaken(twice, 'volume_attachments')
  return volumes
}

function bootVolume(given: BootAttachment | undefined, around: Surroundings): VolumePlan {
  const field = 'boot_volume_attachment'
  const { image } = around
  const values = given?.volume ?? { profile: { by: 'name', value: 'general-purpose' } }
  const capacityGB = values.capacity ?? Math.max(image.sizeGB, image.visibility === 'public' ? 100 : 0)
  if (capacityGB < image.sizeGB) {
    const sentence = `The capacity must be at least the image's minimum_provisioned_size, ${image.sizeGB} GB.`
    throw badField(`${field}.volume.capacity`, sentence, String(capacityGB))
  }
  const most = profileOf(values, `${field}.volume`).name === 'sdp' ? 32_000 : 250
  if (capacityGB > most) {
    throw badField(`${field}.volume.capacity`, `The capacity must be at most ${most} GB.`, String(capacityGB))
  }
  return {
    ...planOf(values, { capacityGB, field: `${field}.volume` }, around),
    attachmentName: checkName(given?.name, `${field}.name`),
    image,
    deletedWithInstance: given?.delete_volume_on_instance_delete ?? true,
  }
}

function dataVolume(given: DataAttachment, field: string, around: Surroundings): VolumePlan {
  const { capacity } = given.volume
  if (capacity === undefined) {
    const name = `${field}.volume.capacity`
    throw new IbmError('validation_required_field', 'Missing a required field.', { name, type: 'field' })
  }
  return {
    ...planOf(given.volume, { capacityGB: capacity, field: `${field}.volume` }, around),
    attachmentName: checkName(given.name, `${field}.name`),
    image: undefined,
    deletedWithInstance: given.delete_volume_on_instance_delete ?? false,
  }
}

type Common = Omit<VolumePlan, 'attachmentName' | 'image' | 'deletedWithInstance'>

function planOf(
  values: VolumeValues,
  { capacityGB, field }: { capacityGB: number; field: string },
  { account, zone, resourceGroup }: Surroundings,
): Common {
  const name = checkName(values.name, `${field}.name`)
  if (name !== undefined && account.volumes.hasName(name)) throw nameTaken(name, `${field}.name`)
  const profile = profileOf(values, field)
  const iops = checkIops(values.iops, { ...profile, capacityGB, field })
  if (values.bandwidth !== undefined && profile.name !== 'sdp') {
    const sentence = `The bandwidth of profile ${profile.name} cannot be specified.`
    throw badField(`${field}.bandwidth`, sentence, String(values.bandwidth))
  }
  return {
    name,
    profile: profile.name,
    capacityGB,
    iops,
    bandwidth: values.bandwidth ?? Math.max(131, Math.round(iops / 8)),
    tags: values.user_tags ?? [],
    encryptionKey: checkKey(values.encryption_key?.crn, `${field}.encryption_key.crn`),
    zone,
    resourceGroup: checkResourceGroup(values.resource_group, account, `${field}.resource_group`) ?? resourceGroup,
  }
}

/** A root key of Key Protect or of Hyper Protect Crypto Services; this account has those whose id is a UUID. */
function checkKey(crn: string | undefined, name: string): string | undefined {
  if (crn === undefined || /^crn:v1:.*:(kms|hs-crypto):.*:key:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(crn))
    return crn
  const sentence = 'The CRN is not that of a root key that can be used.'
  throw new IbmError('volume_encryption_key_crn_invalid', sentence, { name, type: 'field', value: crn })
}

function profileOf({ profile: { value } }: Pick<VolumeValues, 'profile'>, field: string) {
  const name = value.slice(value.lastIndexOf('/') + 1)
  const profile = Object.hasOwn(volumeProfiles, name) ? volumeProfiles[name] : undefined
  if (profile) return { name, ...profile }
  throw badField(`${field}.profile.name`, `The volume profile '${name}' could not be found`, name)
}

/** What a custom volume can have grows with its size, in steps. */
const customSteps: readonly (readonly [fromGB: number, most: number])[] = [
  [8_000, 48_000],
  [2_000, 40_000],
  [1_000, 20_000],
  [500, 10_000],
  [100, 6_000],
  [80, 4_000],
  [40, 2_000],
  [0, 1_000],
]

function mostOfCustom(capacityGB: number): number {
  return customSteps.find(([fromGB]) => capacityGB >= fromGB)?.[1] ?? 0
}

interface Speed {
  readonly name: string
  readonly perGB?: number
  readonly least: number
  readonly most: number
  readonly capacityGB: number
  readonly field: string
}

function checkIops(given: number | undefined, { name, perGB, least, most, capacityGB, field }: Speed): number {
  if (perGB !== undefined) {
    if (given !== undefined)
      throw badField(`${field}.iops`, `The iops of profile ${name} cannot be specified.`, String(given))
    return Math.min(most, Math.max(least, perGB * capacityGB))
  }
  const iops = given ?? least
  const limit = name === 'custom' ? mostOfCustom(capacityGB) : most
  if (iops >= least && iops <= limit) return iops
  throw badField(`${field}.iops`, `The iops of profile ${name} must be between ${least} and ${limit}.`, String(iops))
}
