import { expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { withFields, withScopeFields } from './fields.ts'

const said = (kind: RefusalKind, code: string, message: string) => new CloudError(kind, { code, message })

it.each<[code: string, message: string, field: string]>([
  [
    'InvalidParameter',
    'The value Standard_Nope provided for the VM size is not valid. The valid sizes in the current region are: x.',
    'spec.vmSize of the AzureMachine',
  ],
  [
    'BadRequest',
    "Cannot create a VM of size 'Standard_D2s_v5' because this VM size only supports a CPU Architecture of 'x64', but " +
      "an image or disk with CPU Architecture 'Arm64' was given.",
    'spec.vmSize, spec.image of the AzureMachine',
  ],
  [
    'GalleryImageNotFound',
    'The gallery image /CommunityGalleries/x is not available in westus2 region.',
    'spec.image of the AzureMachine',
  ],
  ['NotFound', "The Image '/subscriptions/s/x' cannot be found in 'westus2' region.", 'spec.image of the AzureMachine'],
  [
    'InvalidResourceReference',
    'Resource /subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/lost referenced ' +
      'by resource /subscriptions/s/x-nic was not found.',
    'spec.networkInterfaces, spec.subnetName of the AzureMachine, spec.networkSpec of the AzureCluster',
  ],
  [
    'BadRequest',
    'The specified disk size 10 GB is smaller than the size of the corresponding disk in the VM image: 30 GB.',
    'spec.osDisk of the AzureMachine',
  ],
  [
    'NotSupported',
    'OS disk of Ephemeral VM with size greater than 0 GB is not allowed for VM size Standard_D2s_v5.',
    'spec.osDisk of the AzureMachine',
  ],
  [
    'OperationNotAllowed',
    'The maximum number of data disks allowed to be attached to a VM of this size is 4.',
    'spec.dataDisks of the AzureMachine',
  ],
  [
    'InvalidAvailabilityZone',
    "The zone(s) '4' for resource 'Microsoft.Compute/virtualMachines/x' is not supported.",
    'spec.failureDomain of the Machine',
  ],
  ['ResourceGroupNotFound', "Resource group 'lost' could not be found.", 'spec.resourceGroup of the AzureCluster'],
  [
    'LocationNotAvailableForResourceType',
    "The provided location 'moon' is not available for resource type 'Microsoft.Compute/virtualMachines'.",
    'spec.location of the AzureCluster',
  ],
  [
    'InvalidParameter',
    'Custom data in OSProfile must be in Base64 encoding and with a maximum length of 87380 characters.',
    'the bootstrap data (spec.bootstrap of the Machine)',
  ],
])('%s: %s', (code, message, field) => {
  expect(withFields(said('invalid', code, message))).toMatchObject({
    kind: 'invalid',
    code,
    message: `${field}: ${message}`,
  })
})

it('names the price, where it is too low, and the subscription, where there is none', () => {
  const price = said('price', 'SpotPriceGreaterThanProvidedMaxPrice', "The price '0.001 USD' is too low.")
  expect(withFields(price).message).toMatch(/^spec\.spotVMOptions\.maxPrice of the AzureMachine: /)
  const lost = said('denied', 'SubscriptionNotFound', "The subscription 'x' could not be found.")
  expect(withScopeFields(lost).message).toMatch(/^spec\.subscriptionID of the AzureCluster: /)
  const forbidden = said('denied', 'AuthorizationFailed', 'The client does not have authorization over subscription x.')
  expect(withScopeFields(forbidden)).toBe(forbidden)
})
