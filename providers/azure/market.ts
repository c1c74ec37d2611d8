import type { AzureMachineSpec } from '../../api/generated/azure-machine.ts'
import type { CapacityType } from '../instances.ts'

/** How a machine is bought. */
export interface Market {
  readonly capacityType: CapacityType
  /** The properties that say so. */
  readonly properties: Readonly<Record<string, unknown>>
}

export function marketOf(spec: AzureMachineSpec): Market {
  const { spotVMOptions, capacityReservationGroupID, osDisk } = spec
  if (spotVMOptions) {
    const { maxPrice, evictionPolicy } = spotVMOptions
    // A disk on the host does not outlive a deallocation.
    const usual = osDisk?.diffDiskSettings ? 'Delete' : 'Deallocate'
    return {
      capacityType: 'Spot',
      properties: {
        priority: 'Spot',
        evictionPolicy: evictionPolicy ?? usual,
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
