import { Ec2Error, invalidCombination, invalidValue, missing } from '../errors.ts'
import type { VolumePlan } from '../instance.ts'
import type { Image } from '../world.ts'
import type { BlockDeviceValues, RunInstancesValues } from './parameters.ts'

type Ebs = NonNullable<BlockDeviceValues['Ebs']>
type VolumeType = NonNullable<Ebs['VolumeType']>
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
  const root = checkVolume(
    image.rootDevice,
    given.find(({ DeviceName }) => DeviceName === image.rootDevice),
    image,
  )
  const others = given
    .filter(({ DeviceName, NoDevice }) => DeviceName !== image.rootDevice && NoDevice === undefined)
    .map((mapping) => checkVolume(mapping.DeviceName ?? '', mapping, image))
  return [root, ...others]
}

function checkVolume(device: string, mapping: BlockDeviceValues | undefined, image: Image): VolumePlan {
  const ebs = mapping?.Ebs ?? {}
  const isRoot = device === image.rootDevice
  checkOrigin(ebs, image)
  const type = ebs.VolumeType ?? (isRoot ? 'gp3' : 'gp2')
  if (isRoot && (type === 'st1' || type === 'sc1')) {
    throw invalidCombination(`Volumes of type ${type} cannot be the root device of an instance.`)
  }
  const sizeGiB = checkSize(ebs.VolumeSize, type, isRoot || ebs.SnapshotId !== undefined ? image : undefined)
  const { Encrypted: encrypted = false, DeleteOnTermination: deleteOnTermination = true } = ebs
  const iops = checkIops(ebs.Iops, type, sizeGiB)
  const throughput = checkThroughput(ebs.Throughput, type)
  return { device, sizeGiB, type, iops, throughput, encrypted, deleteOnTermination }
}

/** The only snapshots here are those of the images. */
function checkOrigin({ SnapshotId: snapshot, KmsKeyId: key, Encrypted: encrypted }: Ebs, image: Image): void {
  if (snapshot !== undefined && snapshot !== image.snapshot) {
    throw new Ec2Error('InvalidSnapshot.NotFound', `The snapshot '${snapshot}' does not exist.`)
  }
  if (key !== undefined && encrypted !== true) {
    const message = 'The parameter KmsKeyId requires the parameter Encrypted to be set.'
    throw new Ec2Error('InvalidParameterDependency', message)
  }
}

/** `image`: the volume starts as a copy of this image's snapshot. */
function checkSize(given: number | undefined, type: VolumeType, image: Image | undefined): number {
  const size = given ?? image?.snapshotGiB
  if (size === undefined) throw missing('size or snapshotId')
  if (image && size < image.snapshotGiB) {
    throw new Ec2Error(
      'InvalidBlockDeviceMapping',
      `Volume of size ${size}GB is smaller than snapshot '${image.snapshot}', expect size >= ${image.snapshotGiB}GB`,
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
