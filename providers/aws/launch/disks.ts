import type { BlockDeviceMapping, EbsBlockDevice } from '@aws-sdk/client-ec2'
import type {
  AWSMachineNonRootVolume,
  AWSMachineRootVolume,
  AWSMachineSpec,
} from '../../../api/generated/aws-machine.ts'
import { invalid } from '../../shared/invalid.ts'
import type { ImageFacts, ImageVolume } from '../lookups/facts.ts'
import type { ChosenImage } from './images.ts'

/** The disks that the spec describes, and those of the image that would outlive the instance. Undefined: none. */
export function disksFor(
  { rootVolume, nonRootVolumes = [] }: AWSMachineSpec,
  image: ChosenImage,
): BlockDeviceMapping[] | undefined {
  const said = [
    ...(rootVolume ? [rootDisk(rootVolume, image)] : []),
    ...nonRootVolumes.map((volume) => disk(volume.deviceName, volume)),
  ]
  const isSaid = ({ device }: ImageVolume) => said.some(({ DeviceName }) => DeviceName === device)
  const lasting = (image.facts?.volumes ?? []).filter((volume) => !volume.endsWithInstance && !isSaid(volume))
  const all = [...said, ...lasting.map(endingDisk)]
  return all.length > 0 ? all : undefined
}

function rootDisk(volume: AWSMachineRootVolume, { id, facts }: ChosenImage): BlockDeviceMapping {
  if (!facts) throw invalid(`spec.ami.id of the AWSMachine: EC2 shows no image ${id} in this region. Correct the id.`)
  const device = rootDevice(volume, facts)
  const { DeviceName, Ebs } = disk(device, volume)
  const ofImage = facts.volumes.find((one) => one.device === device)
  return { DeviceName, Ebs: volume.type || !ofImage ? Ebs : { ...typeOf(ofImage), ...present(Ebs) } }
}

/** The image knows its root device. Under another name EC2 would add a disk and leave the root as it is. */
function rootDevice({ deviceName }: AWSMachineRootVolume, { id, rootDevice }: ImageFacts): string {
  if (!rootDevice) throw invalid(`spec.rootVolume of the AWSMachine: image ${id} has no root device.`)
  if (deviceName === undefined || deviceName === rootDevice) return rootDevice
  throw invalid(
    `spec.rootVolume.deviceName of the AWSMachine is ${deviceName}, but image ${id} boots from ` +
      `${rootDevice}; leave deviceName out.`,
  )
}

function disk(DeviceName: string, volume: AWSMachineRootVolume | AWSMachineNonRootVolume) {
  const Ebs: EbsBlockDevice = {
    DeleteOnTermination: true,
    VolumeSize: volume.size,
    VolumeType: volume.type,
    Iops: volume.iops,
    Throughput: volume.throughput,
    Encrypted: volume.encrypted ?? (volume.encryptionKey ? true : undefined),
    KmsKeyId: volume.encryptionKey,
  }
  return { DeviceName, Ebs }
}

/** As in the image, but it ends with its instance. Nothing else would remove it. */
function endingDisk(volume: ImageVolume): BlockDeviceMapping {
  const Ebs = { DeleteOnTermination: true, VolumeSize: volume.sizeGiB, ...typeOf(volume) }
  return { DeviceName: volume.device, Ebs: present(Ebs) }
}

const withIops = new Set(['gp3', 'io1', 'io2'])

/**
 * Said explicitly: for a device with any setting in a launch, EC2 has taken its own default type instead of the
 * image's.
 */
function typeOf({ type = '', iops, throughput }: ImageVolume): EbsBlockDevice {
  return present<EbsBlockDevice>({
    VolumeType: (type || undefined) as EbsBlockDevice['VolumeType'],
    Iops: withIops.has(type) ? iops : undefined,
    Throughput: type === 'gp3' ? throughput : undefined,
  })
}

/** Without undefined fields, which would hide the values below them in a spread. */
function present<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
