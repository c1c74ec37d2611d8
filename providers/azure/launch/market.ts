import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import type { CapacityType, Offering } from '../../../api/offering.ts'
import { noReservation } from '../../shared/invalid.ts'

/** How a machine is bought. */
export interface Market {
  readonly capacityType: CapacityType
  /** The properties that say so. */
  readonly properties: Readonly<Record<string, unknown>>
}

export function marketOf(spec: AzureMachineSpec): Market {
  const { spotVMOptions, capacityReservationGroupID } = spec
  if (spotVMOptions) {
    const { maxPrice } = spotVMOptions
    return {
      capacityType: 'Spot',
      properties: {
        priority: 'Spot',
        evictionPolicy: evictionPolicyOf(spec),
        ...(maxPrice === undefined || maxPrice === '' ? {} : { billingProfile: { maxPrice: Number(maxPrice) } }),
      },
    }
  }
  if (!capacityReservationGroupID) return { capacityType: 'OnDemand', properties: {} }
  return {
    capacityType: 'Reserved',
    properties: { capacityReservation: { capacityReservationGroup: { id: capacityReservationGroupID } } },
  }
}

/** The spec with which this is bought. The spec's own terms hold in their own market, and usual ones in others. */
export function boughtAs(spec: AzureMachineSpec, { capacityType, instanceType: vmSize }: Offering): AzureMachineSpec {
  if (marketOf(spec).capacityType === capacityType) return { ...spec, vmSize }
  if (capacityType === 'Reserved') throw noReservation('spec.capacityReservationGroupID of the AzureMachine')
  const { spotVMOptions: _, capacityReservationGroupID: __, ...rest } = spec
  return { ...rest, vmSize, ...(capacityType === 'Spot' ? { spotVMOptions: {} } : {}) }
}

/** Whether Azure deletes it when it takes it back. */
export function vanishesWhenTaken(spec: AzureMachineSpec): boolean {
  return spec.spotVMOptions !== undefined && evictionPolicyOf(spec) === 'Delete'
}

/** A disk on the host is lost when the machine is deallocated, so such a machine is deleted. */
function evictionPolicyOf({ spotVMOptions, osDisk }: AzureMachineSpec): 'Deallocate' | 'Delete' {
  return spotVMOptions?.evictionPolicy ?? (osDisk?.diffDiskSettings ? 'Delete' : 'Deallocate')
}
