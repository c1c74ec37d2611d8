import type { BlockDeviceMapping, Image, InstanceTypeInfo, Subnet as Ec2Subnet } from '@aws-sdk/client-ec2'
import { countDevices, gpuResource, neuronResource } from '../../../api/devices.ts'

/** The parts of EC2's descriptions that are read. */
export interface TypeFacts {
  /** As images are described. */
  readonly architecture: 'x86_64' | 'arm64'
  readonly cpus: number
  readonly memoryMiB: number
  /** How many devices of each kind that a pod can ask for, by the name of the resource. */
  readonly devices: Readonly<Record<string, number>>
}

export interface ImageFacts {
  readonly id: string
  readonly rootDevice: string | undefined
  /** ISO 8601, so that the later one is the greater text. */
  readonly created: string
  readonly isWindows: boolean
  readonly volumes: readonly ImageVolume[]
}

/** An EBS volume that comes with the image, unless a launch says otherwise. */
export interface ImageVolume {
  readonly device: string
  readonly sizeGiB: number | undefined
  readonly type: string | undefined
  readonly iops: number | undefined
  readonly throughput: number | undefined
  /** False: EC2 leaves it behind when the instance ends. */
  readonly endsWithInstance: boolean
}

export interface Subnet {
  readonly id: string
  readonly zone: string
  readonly isPublic: boolean
}

export function typeFacts({ ProcessorInfo, VCpuInfo, MemoryInfo, ...info }: InstanceTypeInfo): TypeFacts {
  return {
    architecture: ProcessorInfo?.SupportedArchitectures?.includes('arm64') ? 'arm64' : 'x86_64',
    cpus: VCpuInfo?.DefaultVCpus ?? 0,
    memoryMiB: MemoryInfo?.SizeInMiB ?? 0,
    devices: devicesOf(info),
  }
}

function devicesOf({ GpuInfo, NeuronInfo }: InstanceTypeInfo): Record<string, number> {
  return countDevices([
    ...(GpuInfo?.Gpus ?? []).map(({ Manufacturer = '', Count, LogicalGpuCount = 0 }) => ({
      resource: gpuResource(Manufacturer),
      // A part of a GPU counts as 0 of them, and as one device to the driver.
      count: Count || LogicalGpuCount,
    })),
    ...(NeuronInfo?.NeuronDevices ?? []).map(({ Count = 0 }) => ({ resource: neuronResource, count: Count })),
  ])
}

export function imageFacts({ ImageId, RootDeviceName, CreationDate, Platform, ...image }: Image): ImageFacts {
  return {
    id: ImageId ?? '',
    rootDevice: RootDeviceName,
    created: CreationDate ?? '',
    isWindows: Platform?.toLowerCase() === 'windows',
    volumes: (image.BlockDeviceMappings ?? []).flatMap(volumeOf),
  }
}

/** Left out: disks of the host, which end with the instance. */
function volumeOf({ DeviceName, Ebs }: BlockDeviceMapping): ImageVolume[] {
  if (!DeviceName || !Ebs) return []
  const { VolumeSize: sizeGiB, VolumeType: type, Iops: iops, Throughput: throughput, DeleteOnTermination } = Ebs
  return [{ device: DeviceName, sizeGiB, type, iops, throughput, endsWithInstance: DeleteOnTermination === true }]
}

/** A subnet counts as public if it assigns public addresses. Its routes would tell it too, but cost another call. */
export function subnetFacts({ SubnetId, AvailabilityZone, MapPublicIpOnLaunch }: Ec2Subnet): Subnet {
  return { id: SubnetId ?? '', zone: AvailabilityZone ?? '', isPublic: MapPublicIpOnLaunch ?? false }
}
