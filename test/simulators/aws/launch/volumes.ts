import { Ec2Error, invalidCombination, invalidValue, missing } from '../http/errors.ts'
import type { VolumePlan } from '../instances/instance.ts'
import type { Image, ImageVolume, VolumeType } from '../world.ts'
import type { BlockDeviceValues, RunInstancesValues } from './parameters.ts'

type Ebs = NonNullable<BlockDeviceValues['Ebs']>
type Range = readonly [least: number, most: number]

interface VolumeRule {
  readonly size: Range
  /** Left out: this type has no such setting. */
  readonly iops?: {
    readonly range: Range
    readonly mostPerGiB: number
    readonly required?: true
    readonly usual?: number
  }
  readonly throughput?: { readonly range: Range; readonly usual: number }
}

const rules: Readonly<Record<VolumeType, VolumeRule>> = {
  standard: { size: [1, 1024] },
  gp2: { size: [1, 16_384] },
  gp3: {
    size: [1, 65_536],
    iops: { range: [3000, 80_000], mostPerGiB: 500, usual: 3000 },
    throughput: { range: [125, 2000], usual: 125 },
  },
  io1: { size: [4, 16_384], iops: { range: [100, 64_000], mostPerGiB: 50, required: true } },
  io2: { size: [4, 65_536], iops: { range: [100, 256_000], mostPerGiB: 1000, required: true } },
  sc1: { size: [125, 16_384] },
  st1: { size: [125, 16_384] },
}

/** The image's own volume, changed by what the request says of its device, and the volumes beside it. */
export function checkVolumes(mappings: RunInstancesValues['BlockDeviceMapping'], image: Image): readonly VolumePlan[] {
  const given = mappings ?? []
  const devices = given.map(({ DeviceName: device }, at) => {
    if (device === undefined) throw missing(`BlockDeviceMapping.${at + 1}.DeviceName`)
    return device
  })
  if (new Set(devices).size < devices.length) {
    throw new Ec2Error('InvalidBlockDeviceMapping', 'The block device mapping names a device twice.')
  }
  const saidOf = (device: string) => given.find(({ DeviceName }) => DeviceName === device)
  const own = image.volumes
    .filter(({ device }) => device === image.rootDevice || saidOf(device)?.NoDevice === undefined)
    .map(({ device }) => checkVolume(device, saidOf(device), image))
  const others = given
    .filter(({ DeviceName, NoDevice }) => NoDevice === undefined && !own.some(({ device }) => device === DeviceName))
    .map((mapping) => checkVolume(mapping.DeviceName ?? '', mapping, image))
  return [...own, ...others]
}

/** What the launch does not say of a device of the image is as the image says. */
function checkVolume(device: string, mapping: BlockDeviceValues | undefined, image: Image): VolumePlan {
  const ebs = mapping?.Ebs ?? {}
  const ofImage = image.volumes.find((one) => one.device === device)
  const origin = checkOrigin(ebs, image) ?? ofImage
  const type = ebs.VolumeType ?? ofImage?.type ?? 'gp2'
  if (device === image.rootDevice) refuseColdRoot(type)
  const sizeGiB = checkSize(ebs.VolumeSize, type, origin)
  const { Encrypted: encrypted = false } = ebs
  const deleteOnTermination = ebs.DeleteOnTermination ?? ofImage?.deleteOnTermination ?? true
  const iops = checkIops(ebs.Iops, type, sizeGiB)
  const throughput = checkThroughput(ebs.Throughput, type)
  return { device, sizeGiB, type, iops, throughput, encrypted, deleteOnTermination }
}

function refuseColdRoot(type: VolumeType): void {
  if (type !== 'st1' && type !== 'sc1') return
  throw invalidCombination(`Volumes of type ${type} cannot be the root device of an instance.`)
}

/** The snapshot that is named: the only ones here are those of the image. */
function checkOrigin({ SnapshotId, KmsKeyId, Encrypted }: Ebs, image: Image): ImageVolume | undefined {
  const named = image.volumes.find(({ snapshot }) => snapshot === SnapshotId)
  if (SnapshotId !== undefined && !named) {
    throw new Ec2Error('InvalidSnapshot.NotFound', `The snapshot '${SnapshotId}' does not exist.`)
  }
  if (KmsKeyId !== undefined && Encrypted !== true) {
    const message = 'The parameter KmsKeyId requires the parameter Encrypted to be set.'
    throw new Ec2Error('InvalidParameterDependency', message)
  }
  return named
}

/** `origin`: the volume starts as a copy of this one's snapshot. */
function checkSize(given: number | undefined, type: VolumeType, origin: ImageVolume | undefined): number {
  const size = given ?? origin?.snapshotGiB
  if (size === undefined) throw missing('size or snapshotId')
  if (origin && size < origin.snapshotGiB) {
    throw new Ec2Error(
      'InvalidBlockDeviceMapping',
      `Volume of size ${size}GB is smaller than snapshot '${origin.snapshot}', expect size >= ${origin.snapshotGiB}GB`,
    )
  }
  checkRange(size, rules[type].size, `Volume size of ${type} volumes`)
  return size
}

function checkIops(iops: number | undefined, type: VolumeType, sizeGiB: number): number | undefined {
  const rule = rules[type].iops
  if (!rule) {
    if (iops === undefined) return undefined
    throw invalidCombination(`The parameter iops is not supported for ${type} volumes.`)
  }
  if (iops === undefined) {
    if (rule.required) throw invalidCombination(`The parameter iops must be specified for ${type} volumes.`)
    return rule.usual
  }
  checkRange(iops, rule.range, `Volume iops of ${type} volumes`)
  if (iops > Math.max(rule.range[0], sizeGiB * rule.mostPerGiB)) {
    throw invalidCombination(
      `Iops to volume size ratio of ${(iops / sizeGiB).toFixed(1)} is too high; maximum is ${rule.mostPerGiB}`,
    )
  }
  return iops
}

function checkThroughput(throughput: number | undefined, type: VolumeType): number | undefined {
  const rule = rules[type].throughput
  if (throughput === undefined) return rule?.usual
  if (!rule) throw invalidCombination('throughput can only be specified for volumeType gp3.')
  checkRange(throughput, rule.range, `Volume throughput of ${type} volumes`)
  return throughput
}

function checkRange(value: number, [least, most]: Range, what: string): void {
  if (value < least || value > most) {
    throw invalidValue(`${what} of ${value} is out of range; it must be between ${least} and ${most}.`)
  }
}
