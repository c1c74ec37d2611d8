import { idOf, types } from '../ids.ts'
import { over, regular, storage, without, world, trapsOf } from './trap.ts'

const { subscription, resourceGroups } = world
const [resourceGroup = ''] = resourceGroups
const id = (type: Parameters<typeof idOf>[0]['type'], name: string) => idOf({ subscription, resourceGroup, type, name })
const arm = world.images.find(({ architecture }) => architecture === 'Arm64')?.id ?? ''

/** What is not there, or not where the machine is to be. */
export const places = trapsOf({
  LocationRequired: [['no location', without('location'), 'location property']],
  LocationNotAvailableForResourceType: [
    [
      'a location where nothing is offered',
      over({ location: 'eastus' }),
      "'eastus' is not available for resource type 'Microsoft.Compute/virtualMachines'",
    ],
  ],
  InvalidAvailabilityZone: [['a zone that is none', over({ zones: ['4'] }), "The zone(s) '4' for resource"]],
  BadRequest: [
    ['two zones', over({ zones: ['1', '2'] }), 'more than one zone'],
    ['an image for other processors', storage({ imageReference: { id: arm } }), "CPU Architecture 'Arm64'"],
  ],
  InvalidParameter: [
    [
      'a size that is none',
      over({ hardwareProfile: { vmSize: 'Standard_Huge' } }),
      'The value Standard_Huge provided for the VM size is not valid.',
    ],
    [
      'no image',
      storage({ imageReference: undefined } as never),
      "Required parameter 'imageReference' is missing (null).",
    ],
    [
      'an image of the marketplace without a version',
      storage({ imageReference: { publisher: 'Canonical', offer: 'x', sku: 'y' } }),
      "Required parameter 'version' is missing (null).",
    ],
    ['two images at once', storage({ imageReference: { id: arm, communityGalleryImageId: arm } }), 'exactly one'],
  ],
  SkuNotAvailable: [
    [
      'a size that the zone has not',
      over({ hardwareProfile: { vmSize: 'Standard_NC4as_T4_v3' }, zones: ['3'] }),
      'Standard_NC4as_T4_v3',
      409,
    ],
  ],
  NotFound: [
    [
      'an image that is not there',
      storage({ imageReference: { id: id(types.image, 'gone') } }),
      "/images/gone' cannot be found in 'westus2' region.",
      404,
    ],
  ],
  GalleryImageNotFound: [
    [
      'a version of an image that is not there',
      storage({ imageReference: { id: world.images[0]?.id.replace('1.36.3', '1.0.0') ?? '' } }),
      '/versions/1.0.0',
      404,
    ],
  ],
  PlatformImageNotFound: [
    [
      'an image of the marketplace that is not there',
      storage({ imageReference: { publisher: 'Canonical', offer: 'x', sku: 'y', version: 'latest' } }),
      "'Canonical:x:y:latest' is not available",
      404,
    ],
  ],
  InvalidResourceReference: [
    [
      'an identity that is not there',
      over({ identity: { type: 'UserAssigned', userAssignedIdentities: { [id(types.identity, 'gone')]: {} } } }),
      '/userAssignedIdentities/gone',
    ],
    [
      'a reservation that is not there',
      regular({ capacityReservation: { capacityReservationGroup: { id: id(types.image, 'reserved') } } }),
      '/reserved referenced by',
    ],
  ],
  InvalidIdentityValues: [
    ['an identity that is not named', over({ identity: { type: 'UserAssigned' } }), 'userAssignedIdentities'],
  ],
})
