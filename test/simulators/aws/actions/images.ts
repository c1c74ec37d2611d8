import type { Action } from '../http/action.ts'
import { boolean, list, text } from '../../kit/http/schema.ts'
import { ids } from '../ids.ts'
import { describe } from '../http/listing.ts'
import type { Image, ImageVolume } from '../world.ts'
import type { XmlElement } from '../http/xml.ts'

const describeImages = describe<Image>({
  name: 'DescribeImages',
  set: 'imagesSet',
  items: ({ world }) => world.images,
  filters: {
    architecture: ({ architecture }) => [architecture],
    'creation-date': ({ created }) => [created],
    hypervisor: () => ['xen'],
    'image-id': ({ id }) => [id],
    'image-type': () => ['machine'],
    'is-public': () => ['true'],
    name: ({ name }) => [name],
    'owner-id': ({ owner }) => [owner],
    'platform-details': () => ['Linux/UNIX'],
    'root-device-name': ({ rootDevice }) => [rootDevice],
    'root-device-type': () => ['ebs'],
    state: () => ['available'],
    'virtualization-type': () => ['hvm'],
  },
  tagsOf: () => [],
  by: [{ parameter: 'ImageId', called: 'imagesSet', of: ({ id }) => id, kind: ids.image }],
  page: { min: 1, max: 1000 },
  also: { Owner: list(text), ExecutableBy: list(text), IncludeDeprecated: boolean, IncludeDisabled: boolean },
  narrow: (images, values, { world, clock }) => {
    const owners = values['Owner'] as readonly string[] | undefined
    const wanted = owners?.map((owner) => (owner === 'self' ? world.accountId : owner))
    // To who owns it, or names it by its id, a deprecated image is shown in any case.
    const isShown = ({ owner, deprecated = '9999' }: Image) =>
      values['IncludeDeprecated'] === true ||
      values['ImageId'] !== undefined ||
      owner === world.accountId ||
      new Date(clock.now()).toISOString() < deprecated
    return images.filter((image) => isShown(image) && (wanted?.includes(image.owner) ?? true))
  },
  write: (images) => images.map(writeImage),
})

function writeImage(image: Image): XmlElement {
  return {
    imageId: image.id,
    imageLocation: `${image.owner}/${image.name}`,
    imageState: 'available',
    imageOwnerId: image.owner,
    creationDate: image.created,
    isPublic: true,
    architecture: image.architecture,
    imageType: 'machine',
    name: image.name,
    rootDeviceType: 'ebs',
    rootDeviceName: image.rootDevice,
    deprecationTime: image.deprecated,
    blockDeviceMapping: image.volumes.map(writeVolume),
    virtualizationType: 'hvm',
    hypervisor: 'xen',
    enaSupport: true,
    platformDetails: 'Linux/UNIX',
    usageOperation: 'RunInstances',
  }
}

function writeVolume({ device, snapshot, snapshotGiB, type, deleteOnTermination }: ImageVolume): XmlElement {
  return {
    deviceName: device,
    ebs: {
      snapshotId: snapshot,
      volumeSize: snapshotGiB,
      volumeType: type,
      ...(type === 'gp3' ? { iops: 3000, throughput: 125 } : {}),
      deleteOnTermination,
      encrypted: false,
    },
  }
}

export const imageActions: readonly Action[] = [describeImages]
