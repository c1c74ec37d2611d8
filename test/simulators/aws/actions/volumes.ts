import type { Action } from '../http/action.ts'
import { ids } from '../ids.ts'
import type { InstanceVersion, Volume } from '../instances/instance.ts'
import { describe } from '../http/listing.ts'
import { writeTags } from '../instances/tags.ts'
import { xmlTime, type XmlElement } from '../http/xml.ts'

interface Disk {
  readonly volume: Volume
  readonly instance: InstanceVersion
}

/** A volume that does not end with its instance stays behind, and costs. */
export function disksOf(instance: InstanceVersion): readonly Disk[] {
  const { volumes, state, vanished } = instance
  return (vanished ? [] : volumes)
    .filter(({ deleteOnTermination }) => state !== 'terminated' || !deleteOnTermination)
    .map((volume) => ({ volume, instance }))
}

function isAttached({ instance }: Disk): boolean {
  return instance.state !== 'terminated'
}

function stateOf(disk: Disk): string {
  return isAttached(disk) ? 'in-use' : 'available'
}

const describeVolumes = describe<Disk>({
  name: 'DescribeVolumes',
  set: 'volumeSet',
  items: ({ instances }) =>
    instances
      .histories()
      .flatMap(({ latest }) => disksOf(latest))
      .toArray(),
  filters: {
    'attachment.delete-on-termination': (disk) => (isAttached(disk) ? [String(disk.volume.deleteOnTermination)] : []),
    'attachment.device': (disk) => (isAttached(disk) ? [disk.volume.device] : []),
    'attachment.instance-id': (disk) => (isAttached(disk) ? [disk.instance.id] : []),
    'availability-zone': ({ instance }) => [instance.plan.subnet.zone.name],
    encrypted: ({ volume }) => [String(volume.encrypted)],
    size: ({ volume }) => [String(volume.sizeGiB)],
    status: (disk) => [stateOf(disk)],
    'volume-id': ({ volume }) => [volume.id],
    'volume-type': ({ volume }) => [volume.type],
  },
  tagsOf: ({ volume }) => volume.tags,
  by: [{ parameter: 'VolumeId', called: 'volumeSet', of: ({ volume }) => volume.id, kind: ids.volume }],
  page: { min: 5, max: 1000 },
  write: (disks) => disks.map(writeDisk),
})

function writeDisk(disk: Disk): XmlElement {
  const { volume, instance } = disk
  return {
    volumeId: volume.id,
    size: volume.sizeGiB,
    volumeType: volume.type,
    iops: volume.iops,
    throughput: volume.throughput,
    encrypted: volume.encrypted,
    availabilityZone: instance.plan.subnet.zone.name,
    status: stateOf(disk),
    createTime: xmlTime(instance.launchedAt),
    attachmentSet: isAttached(disk)
      ? [
          {
            volumeId: volume.id,
            instanceId: instance.id,
            device: volume.device,
            status: 'attached',
            attachTime: xmlTime(instance.launchedAt),
            deleteOnTermination: volume.deleteOnTermination,
          },
        ]
      : [],
    tagSet: writeTags(volume.tags),
  }
}

export const volumeActions: readonly Action[] = [describeVolumes]
