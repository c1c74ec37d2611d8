import { given, callsOf, type Action, type ArmRequest } from '../http/action.ts'
import { groupCalled, resourceNotFound } from '../groups.ts'
import { idOf, nameIn, sameId, types } from '../ids.ts'
import { page } from '../http/listing.ts'
import { paths, versions } from '../http/versions.ts'
import type { Image, World } from '../world.ts'

const compute = `${paths.group}/providers/Microsoft.Compute`
const definition = `${compute}/galleries/{gallery}/images/{definition}`

function managed({ images }: World): readonly { readonly number: number; readonly image: Image }[] {
  return images.filter(({ kind }) => kind === 'managed').map((image, at) => ({ number: at + 1, image }))
}

function imageJson({ id, os, sizeGB }: Image, { location }: World): object {
  return {
    name: nameIn(id),
    id,
    type: types.image,
    location,
    properties: {
      provisioningState: 'Succeeded',
      hyperVGeneration: 'V2',
      storageProfile: { osDisk: { osType: os, osState: 'Generalized', diskSizeGB: sizeGB }, dataDisks: [] },
    },
  }
}

function versionJson({ id }: Image, { location }: World): object {
  return {
    name: nameIn(id),
    id,
    type: `${types.gallery}/images/versions`,
    location,
    properties: {
      provisioningState: 'Succeeded',
      publishingProfile: { targetRegions: [{ name: location, regionalReplicaCount: 1 }], excludeFromLatest: false },
    },
  }
}

/** The versions of one definition of a gallery. */
function versionsOf(request: ArmRequest, world: World): readonly Image[] {
  const resourceGroup = groupCalled(given(request, 'resourceGroup'), world)
  const gallery = given(request, 'gallery')
  const base = idOf({ subscription: world.subscription, resourceGroup, type: types.gallery, name: gallery })
  const wanted = `${base}/images/${given(request, 'definition')}`
  const found = world.images.filter(
    ({ kind, id }) => kind === 'gallery' && sameId(id.replace(/\/versions\/[^/]+$/i, ''), wanted),
  )
  if (found.length > 0) return found
  throw resourceNotFound(types.gallery, `${gallery}/images/${given(request, 'definition')}`, resourceGroup)
}

const computeCall = callsOf(versions.compute)
const galleries = callsOf(versions.galleries)

export const imageActions: readonly Action[] = [
  computeCall.get('Images_Get', `${compute}/images/{name}`, [], (request, { world }) => {
    const resourceGroup = groupCalled(given(request, 'resourceGroup'), world)
    const name = given(request, 'name')
    const id = idOf({ subscription: world.subscription, resourceGroup, type: types.image, name })
    const found = managed(world).find(({ image }) => sameId(image.id, id))
    if (found) return { status: 200, body: imageJson(found.image, world) }
    throw resourceNotFound(types.image, name, resourceGroup)
  }),
  computeCall.get('Images_List', `${paths.subscription}/providers/Microsoft.Compute/images`, [], (request, account) => {
    const write = ({ image }: { image: Image }) => imageJson(image, account.world)
    return page('Images_List', managed(account.world), write, { request, account })
  }),
  galleries.get('GalleryImageVersions_ListByGalleryImage', `${definition}/versions`, [], (request, account) => {
    const items = versionsOf(request, account.world).map((image, at) => ({ number: at + 1, image }))
    const write = ({ image }: { image: Image }) => versionJson(image, account.world)
    return page('GalleryImageVersions_ListByGalleryImage', items, write, { request, account })
  }),
  galleries.get('GalleryImageVersions_Get', `${definition}/versions/{name}`, [], (request, { world }) => {
    const found = versionsOf(request, world).find(({ id }) => nameIn(id) === given(request, 'name'))
    if (found) return { status: 200, body: versionJson(found, world) }
    throw resourceNotFound(types.gallery, given(request, 'name'), given(request, 'resourceGroup'))
  }),
]
