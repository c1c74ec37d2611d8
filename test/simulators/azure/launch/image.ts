import { ArmError, badRequest, invalidParameter } from '../http/errors.ts'
import { sameId } from '../ids.ts'
import type { InstanceType } from '../supply/instance-types.ts'
import type { Image, World } from '../world.ts'
import type { VirtualMachineProperties } from './fields.ts'

type ImageReference = NonNullable<VirtualMachineProperties['storageProfile']['imageReference']>

/** The image that a machine is made from. */
export function checkImage({ storageProfile }: VirtualMachineProperties, type: InstanceType, world: World): Image {
  const { imageReference } = storageProfile
  if (!imageReference) {
    throw invalidParameter("Required parameter 'imageReference' is missing (null).", 'imageReference')
  }
  const image = find(imageReference, world)
  if (image.architecture === type.architecture) return image
  throw badRequest(
    `Cannot create a VM of size '${type.name}' because this VM size only supports a CPU Architecture of ` +
      `'${type.architecture}', but an image or disk with CPU Architecture '${image.architecture}' was given. Please ` +
      'check that the CPU Architecture of the image or disk is compatible with that of the VM size.',
  )
}

function find(reference: ImageReference, world: World): Image {
  const { id, communityGalleryImageId, sharedGalleryImageId, publisher } = reference
  const ways = [id, communityGalleryImageId, sharedGalleryImageId, publisher].filter((way) => way !== undefined)
  if (ways.length !== 1) {
    throw invalidParameter(
      'The image reference must name exactly one of id, communityGalleryImageId, sharedGalleryImageId or the publisher.',
      'imageReference',
    )
  }
  if (publisher !== undefined) return marketplaceImage(reference, world)
  const wanted = id ?? communityGalleryImageId ?? sharedGalleryImageId ?? ''
  const kinds = id === undefined ? ['community'] : ['gallery', 'managed']
  const found = world.images.find((image) => kinds.includes(image.kind) && sameVersion(wanted, image.id))
  if (found) return found
  if (/\/Microsoft\.Compute\/images\//i.test(wanted)) {
    throw new ArmError('NotFound', `The Image '${wanted}' cannot be found in '${world.location}' region.`)
  }
  throw new ArmError(
    'GalleryImageNotFound',
    `The gallery image ${wanted} is not available in ${world.location} region. Please contact image owner to replicate ` +
      'to this region, or change your requested region.',
    { target: 'imageReference' },
  )
}

/** `latest`, or no version at all, stands for the newest. */
function sameVersion(wanted: string, id: string): boolean {
  const definition = id.replace(/\/versions\/[^/]+$/i, '')
  return [id, definition, `${definition}/versions/latest`].some((one) => sameId(one, wanted))
}

function marketplaceImage({ publisher, offer, sku, version }: ImageReference, { images, location }: World): Image {
  const missing = Object.entries({ offer, sku, version }).find(([, value]) => value === undefined)?.[0]
  if (missing !== undefined) throw invalidParameter(`Required parameter '${missing}' is missing (null).`, missing)
  const wanted = [publisher, offer, sku, version].join(':')
  const found = images.find(
    ({ kind, id }) =>
      kind === 'marketplace' && (sameId(id, wanted) || sameId(id.replace(/:[^:]+$/, ':latest'), wanted)),
  )
  if (found) return found
  throw new ArmError(
    'PlatformImageNotFound',
    `The platform image '${wanted}' is not available. Verify that all fields in the storage profile are correct. ` +
      `For more details about storage profile information, please refer to https://aka.ms/storageprofile (${location}).`,
    { target: 'imageReference' },
  )
}
