import type { Account } from '../account.ts'
import { ArmError, badRequest } from '../http/errors.ts'
import type { SpotTerms } from '../instances/instance.ts'
import type { InstanceType } from '../supply/instance-types.ts'
import type { VirtualMachineProperties } from './fields.ts'

/** Undefined: it is not to be a spot machine. */
export function checkSpot(
  properties: VirtualMachineProperties,
  type: InstanceType,
  { market }: Account,
): SpotTerms | undefined {
  const { priority = 'Regular', evictionPolicy = 'Deallocate', billingProfile } = properties
  const maxPrice = billingProfile?.maxPrice
  if (priority === 'Regular') {
    refuseSpotTerms(properties)
    return undefined
  }
  if (!type.hasSpot) {
    throw new ArmError(
      'AzureSpotIsNotSupportedForThisVMSize',
      `Azure Spot is not supported for this VM size ${type.name}.`,
      { target: 'vmSize' },
    )
  }
  refuseWithSpot(properties, evictionPolicy)
  if (maxPrice !== undefined) checkMaxPrice(maxPrice, market.priceOf(type))
  return { evictionPolicy, maxPrice: maxPrice ?? -1 }
}

/** Of a machine that is not bought on the spot market. */
export function refuseSpotTerms({ evictionPolicy, billingProfile }: VirtualMachineProperties): void {
  if (evictionPolicy !== undefined) {
    throw new ArmError(
      'EvictionPolicyCanBeSetOnlyOnAzureSpotVirtualMachines',
      'Eviction policy can be set only on Azure Spot Virtual Machines.',
      { target: 'evictionPolicy' },
    )
  }
  if (billingProfile?.maxPrice === undefined) return
  throw new ArmError(
    'MaxPriceIsSupportedOnlyForAzureSpotVirtualMachines',
    'Max price is supported only for Azure Spot Virtual Machines.',
    { target: 'maxPrice' },
  )
}

function refuseWithSpot(
  { availabilitySet, capacityReservation, storageProfile }: VirtualMachineProperties,
  evictionPolicy: SpotTerms['evictionPolicy'],
): void {
  if (availabilitySet) {
    throw new ArmError(
      'AzureSpotVMNotSupportedInAvailabilitySet',
      'Azure Spot Virtual Machine is not supported in Availability Set.',
      { target: 'availabilitySet' },
    )
  }
  if (capacityReservation?.capacityReservationGroup) {
    throw badRequest(
      'Capacity Reservation is not supported for Virtual Machines of the priority Spot.',
      'capacityReservation',
    )
  }
  if (storageProfile.osDisk?.diffDiskSettings && evictionPolicy !== 'Delete') {
    throw badRequest(
      "The eviction policy 'Deallocate' is not supported for Virtual Machines with an Ephemeral OS disk; use 'Delete'.",
      'evictionPolicy',
    )
  }
}

function checkMaxPrice(maxPrice: number, price: number): void {
  const isRound = Number(maxPrice.toFixed(5)) === maxPrice
  if (maxPrice !== -1 && (maxPrice <= 0 || !isRound)) {
    throw new ArmError(
      'MaxPriceValueInvalid',
      'Max Price value is invalid. The only supported values for max price are -1 or a decimal greater than zero ' +
        'with at most five digits after the decimal point.',
      { target: 'maxPrice' },
    )
  }
  if (maxPrice === -1 || maxPrice >= price) return
  throw new ArmError(
    'SpotPriceGreaterThanProvidedMaxPrice',
    `Unable to perform operation '' since the provided max price '${maxPrice} USD' is lower than the current spot ` +
      `price '${price} USD' for Azure Spot VM size. For more information, see http://aka.ms/AzureSpot/errormessages.`,
    { target: 'maxPrice' },
  )
}
