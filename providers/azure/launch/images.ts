import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import { invalid } from '../../shared/invalid.ts'

/** The image that a machine boots from, and the plan under which it is bought. */
export interface Image {
  readonly reference: Readonly<Record<string, string>>
  readonly plan: Readonly<Record<string, string>> | undefined
}

/** The images that Cluster API publishes for Azure. */
const usual = { gallery: 'ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019', name: 'capi-ubun2-2404' }

type Given = NonNullable<AzureMachineSpec['image']>

/** `version` is that of Kubernetes. */
export function imageOf({ image }: Pick<AzureMachineSpec, 'image'>, version: string | undefined): Image {
  if (image?.id) return { reference: { id: image.id }, plan: undefined }
  if (image?.marketplace) return ofMarketplace(image.marketplace)
  if (image?.computeGallery) return ofGallery(image.computeGallery)
  if (version === undefined) {
    throw invalid('No image: set spec.image of the AzureMachine, or spec.version of the Machine for the default image.')
  }
  return ofGallery({ ...usual, version: version.replace(/^v/, '') })
}

function ofMarketplace({ publisher, offer, sku, version, thirdPartyImage }: NonNullable<Given['marketplace']>): Image {
  const plan = thirdPartyImage ? planOf({ publisher, offer, sku }) : undefined
  return { reference: { publisher, offer, sku, version }, plan }
}

function ofGallery(given: NonNullable<Given['computeGallery']>): Image {
  const { gallery, name, version, subscriptionID, resourceGroup, plan } = given
  const reference: Image['reference'] =
    subscriptionID && resourceGroup
      ? {
          id:
            `/subscriptions/${subscriptionID}/resourceGroups/${resourceGroup}/providers/Microsoft.Compute` +
            `/galleries/${gallery}/images/${name}/versions/${version}`,
        }
      : { communityGalleryImageId: `/CommunityGalleries/${gallery}/Images/${name}/Versions/${version}` }
  return { reference, plan: plan && planOf(plan) }
}

/** Azure calls the offer a product, and the sku a name. */
function planOf({ publisher, offer, sku }: Readonly<Record<'publisher' | 'offer' | 'sku', string>>): Image['plan'] {
  return { publisher, product: offer, name: sku }
}
