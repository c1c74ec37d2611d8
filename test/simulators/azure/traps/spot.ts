import { osDisk, over, regular, trapsOf } from './trap.ts'

const group = { id: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/capacityReservationGroups/r' }

/** What Azure does not let one ask of the spot market. */
export const spotTerms = trapsOf({
  AzureSpotIsNotSupportedForThisVMSize: [
    ['a size that has no spot market', over({ hardwareProfile: { vmSize: 'Standard_B2s' } }), 'Standard_B2s'],
  ],
  EvictionPolicyCanBeSetOnlyOnAzureSpotVirtualMachines: [
    [
      'an eviction policy without the spot market',
      regular({ evictionPolicy: 'Delete' }),
      'Eviction policy can be set only on Azure Spot Virtual Machines.',
    ],
  ],
  MaxPriceIsSupportedOnlyForAzureSpotVirtualMachines: [
    [
      'a price without the spot market',
      regular({ billingProfile: { maxPrice: 1 } }),
      'Max price is supported only for Azure Spot Virtual Machines.',
    ],
  ],
  MaxPriceValueInvalid: [
    ['a price of nothing', over({ billingProfile: { maxPrice: 0 } }), '-1 or a decimal greater than zero'],
    [
      'a price below zero that is not -1',
      over({ billingProfile: { maxPrice: -2 } }),
      '-1 or a decimal greater than zero',
    ],
    ['a price with six decimals', over({ billingProfile: { maxPrice: 0.123456 } }), 'five digits'],
    [
      'a price so small that it is written with an exponent',
      over({ billingProfile: { maxPrice: 1e-7 } }),
      'five digits',
    ],
  ],
  SpotPriceGreaterThanProvidedMaxPrice: [
    [
      'a price below the market',
      over({ billingProfile: { maxPrice: 0.001 } }),
      "the provided max price '0.001 USD' is lower than the current spot price '0.0192 USD'",
      409,
    ],
  ],
  BadRequest: [
    ['an eviction policy that is none', over({ evictionPolicy: 'Hibernate' }), 'VirtualMachineEvictionPolicyTypes'],
    ['a priority that is none', over({ priority: 'Cheap' }), 'VirtualMachinePriorityTypes'],
    [
      'spot in a capacity reservation',
      over({ capacityReservation: { capacityReservationGroup: group } }),
      'Capacity Reservation',
    ],
    [
      'a disk on the host with the policy Deallocate',
      (usual) =>
        over({ hardwareProfile: { vmSize: 'Standard_D2ds_v5' } })(
          osDisk({ diffDiskSettings: { option: 'Local' }, caching: 'ReadOnly' })(usual),
        ),
      "'Deallocate' is not supported for Virtual Machines with an Ephemeral OS disk",
    ],
  ],
  AzureSpotVMNotSupportedInAvailabilitySet: [
    ['spot in an availability set', over({ availabilitySet: group }), 'Availability Set'],
  ],
})
