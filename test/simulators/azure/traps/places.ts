import { idOf, types } from '../ids.ts'
import { over, regular, storage, without, world, type Trap } from './trap.ts'

const { subscription, resourceGroups } = world
const [resourceGroup = ''] = resourceGroups
const id = (type: Parameters<typeof idOf>[0]['type'], name: string) => idOf({ subscription, resourceGroup, type, name })
const arm = world.images.find(({ architecture }) => architecture === 'Arm64')?.id ?? ''

/** What is not there, or not where the machine is to be. */
export const places: readonly Trap[] = [
  { trap: 'no location', said: without('location'), code: 'LocationRequired', message: 'location property' },
  {
    trap: 'a location where nothing is offered',
    said: over({ location: 'eastus' }),
    code: 'LocationNotAvailableForResourceType',
    message: "'eastus' is not available for resource type 'Microsoft.Compute/virtualMachines'",
  },
  {
    trap: 'a zone that is none',
    said: over({ zones: ['4'] }),
    code: 'InvalidAvailabilityZone',
    message: "The zone(s) '4' for resource",
  },
  { trap: 'two zones', said: over({ zones: ['1', '2'] }), code: 'BadRequest', message: 'more than one zone' },
  {
    trap: 'a size that is none',
    said: over({ hardwareProfile: { vmSize: 'Standard_Huge' } }),
    code: 'InvalidParameter',
    message: 'The value Standard_Huge provided for the VM size is not valid.',
  },
  {
    trap: 'a size that the zone has not',
    said: over({ hardwareProfile: { vmSize: 'Standard_NC4as_T4_v3' }, zones: ['3'] }),
    code: 'SkuNotAvailable',
    status: 409,
    message: 'Standard_NC4as_T4_v3',
  },
  {
    trap: 'no image',
    said: storage({ imageReference: undefined } as never),
    code: 'InvalidParameter',
    message: "Required parameter 'imageReference' is missing (null).",
  },
  {
    trap: 'an image that is not there',
    said: storage({ imageReference: { id: id(types.image, 'gone') } }),
    code: 'NotFound',
    status: 404,
    message: "/images/gone' cannot be found in 'westus2' region.",
  },
  {
    trap: 'a version of an image that is not there',
    said: storage({ imageReference: { id: world.images[0]?.id.replace('1.36.3', '1.0.0') ?? '' } }),
    code: 'GalleryImageNotFound',
    status: 404,
    message: '/versions/1.0.0',
  },
  {
    trap: 'an image of the marketplace that is not there',
    said: storage({ imageReference: { publisher: 'Canonical', offer: 'x', sku: 'y', version: 'latest' } }),
    code: 'PlatformImageNotFound',
    status: 404,
    message: "'Canonical:x:y:latest' is not available",
  },
  {
    trap: 'an image of the marketplace without a version',
    said: storage({ imageReference: { publisher: 'Canonical', offer: 'x', sku: 'y' } }),
    code: 'InvalidParameter',
    message: "Required parameter 'version' is missing (null).",
  },
  {
    trap: 'two images at once',
    said: storage({ imageReference: { id: arm, communityGalleryImageId: arm } }),
    code: 'InvalidParameter',
    message: 'exactly one',
  },
  {
    trap: 'an image for other processors',
    said: storage({ imageReference: { id: arm } }),
    code: 'BadRequest',
    message: "CPU Architecture 'Arm64'",
  },
  {
    trap: 'an identity that is not there',
    said: over({ identity: { type: 'UserAssigned', userAssignedIdentities: { [id(types.identity, 'gone')]: {} } } }),
    code: 'InvalidResourceReference',
    message: '/userAssignedIdentities/gone',
  },
  {
    trap: 'an identity that is not named',
    said: over({ identity: { type: 'UserAssigned' } }),
    code: 'InvalidIdentityValues',
    message: 'userAssignedIdentities',
  },
  {
    trap: 'a reservation that is not there',
    said: regular({ capacityReservation: { capacityReservationGroup: { id: id(types.image, 'reserved') } } }),
    code: 'InvalidResourceReference',
    message: '/reserved referenced by',
  },
]
