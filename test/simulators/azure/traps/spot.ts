import { osDisk, over, regular, type Trap } from './trap.ts'

const group = { id: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/capacityReservationGroups/r' }

/** What Azure does not let one ask of the spot market. */
export const spotTerms: readonly Trap[] = [
  {
    trap: 'a size that has no spot market',
    said: over({ hardwareProfile: { vmSize: 'Standard_B2s' } }),
    code: 'AzureSpotIsNotSupportedForThisVMSize',
    message: 'Standard_B2s',
  },
  {
    trap: 'an eviction policy without the spot market',
    said: regular({ evictionPolicy: 'Delete' }),
    code: 'EvictionPolicyCanBeSetOnlyOnAzureSpotVirtualMachines',
    message: 'Eviction policy can be set only on Azure Spot Virtual Machines.',
  },
  {
    trap: 'a price without the spot market',
    said: regular({ billingProfile: { maxPrice: 1 } }),
    code: 'MaxPriceIsSupportedOnlyForAzureSpotVirtualMachines',
    message: 'Max price is supported only for Azure Spot Virtual Machines.',
  },
  {
    trap: 'a price of nothing',
    said: over({ billingProfile: { maxPrice: 0 } }),
    code: 'MaxPriceValueInvalid',
    message: '-1 or a decimal greater than zero',
  },
  {
    trap: 'a price below zero that is not -1',
    said: over({ billingProfile: { maxPrice: -2 } }),
    code: 'MaxPriceValueInvalid',
    message: '-1 or a decimal greater than zero',
  },
  {
    trap: 'a price with six decimals',
    said: over({ billingProfile: { maxPrice: 0.123456 } }),
    code: 'MaxPriceValueInvalid',
    message: 'five digits',
  },
  {
    trap: 'a price so small that it is written with an exponent',
    said: over({ billingProfile: { maxPrice: 1e-7 } }),
    code: 'MaxPriceValueInvalid',
    message: 'five digits',
  },
  {
    trap: 'a price below the market',
    said: over({ billingProfile: { maxPrice: 0.001 } }),
    code: 'SpotPriceGreaterThanProvidedMaxPrice',
    status: 409,
    message: "the provided max price '0.001 USD' is lower than the current spot price '0.0192 USD'",
  },
  {
    trap: 'an eviction policy that is none',
    said: over({ evictionPolicy: 'Hibernate' }),
    code: 'BadRequest',
    message: 'VirtualMachineEvictionPolicyTypes',
  },
  {
    trap: 'a priority that is none',
    said: over({ priority: 'Cheap' }),
    code: 'BadRequest',
    message: 'VirtualMachinePriorityTypes',
  },
  {
    trap: 'spot in a capacity reservation',
    said: over({ capacityReservation: { capacityReservationGroup: group } }),
    code: 'BadRequest',
    message: 'Capacity Reservation',
  },
  {
    trap: 'spot in an availability set',
    said: over({ availabilitySet: group }),
    code: 'AzureSpotVMNotSupportedInAvailabilitySet',
    message: 'Availability Set',
  },
  {
    trap: 'a disk on the host with the policy Deallocate',
    said: (usual) =>
      over({ hardwareProfile: { vmSize: 'Standard_D2ds_v5' } })(
        osDisk({ diffDiskSettings: { option: 'Local' }, caching: 'ReadOnly' })(usual),
      ),
    code: 'BadRequest',
    message: "'Deallocate' is not supported for Virtual Machines with an Ephemeral OS disk",
  },
]
