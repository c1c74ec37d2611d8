import type { BlockDeviceMapping, EbsBlockDevice } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../api/ctx.ts'
import type { AWSMachineNonRootVolume, AWSMachineRootVolume } from '../../api/generated/aws-machine.ts'
import { invalid } from '../invalid.ts'
import type { Looking } from './lookups.ts'
import type { AwsWanted } from './wanted.ts'

/** The disks that the spec says something of. Undefined: all is as the image says. */
export async function disksFor(
  { spec, scope }: Pick<AwsWanted, 'spec' | 'scope'>,
  imageId: string,
  lookups: Looking,
  ctx: Ctx,
): Promise<BlockDeviceMapping[] | undefined> {
  const { rootVolume, nonRootVolumes = [] } = spec
  const root = rootVolume && disk(rootDevice(rootVolume, imageId, await lookups.image(imageId, scope, ctx)), rootVolume)
  const all = [...(root ? [root] : []), ...nonRootVolumes.map((volume) => disk(volume.deviceName, volume))]
  return all.length > 0 ? all : undefined
}

/** The image knows its root device. Under any other name EC2 would add a disk and leave the root as it is. */
function rootDevice(
  { deviceName }: AWSMachineRootVolume,
  imageId: string,
  image: { rootDevice: string | undefined } | undefined,
): string {
  if (!image) throw invalid(`spec.ami.id of the AWSMachine: EC2 shows us no image ${imageId} in this region.`)
  if (!image.rootDevice) throw invalid(`spec.rootVolume of the AWSMachine: image ${imageId} has no root device.`)
  if (deviceName === undefined || deviceName === image.rootDevice) return image.rootDevice
  throw invalid(
    `spec.rootVolume.deviceName of the AWSMachine is ${deviceName}, but image ${imageId} boots from ` +
      `${image.rootDevice}; leave deviceName out.`,
  )
}

function disk(DeviceName: string, volume: AWSMachineRootVolume | AWSMachineNonRootVolume): BlockDeviceMapping {
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
