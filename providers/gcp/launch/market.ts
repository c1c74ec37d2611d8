import type { GCPMachineSpec } from '../../../api/generated/gcp-machine.ts'
import type { CapacityType, Offering } from '../../../api/offering.ts'
import { noReservation } from '../../shared/invalid.ts'

/** The terms of an instance: how it is bought, and when GCE may move or end it. */
export interface Market {
  readonly capacityType: CapacityType
  readonly scheduling: Scheduling
  readonly reservationAffinity: ReservationAffinity | undefined
}

interface Scheduling {
  readonly provisioningModel?: 'SPOT' | 'STANDARD'
  readonly preemptible?: true
  readonly instanceTerminationAction?: 'STOP' | 'DELETE'
  readonly preemptionNoticeDuration?: { readonly seconds: string }
  readonly automaticRestart?: false
  readonly onHostMaintenance?: 'MIGRATE' | 'TERMINATE'
}

interface ReservationAffinity {
  readonly consumeReservationType: 'ANY_RESERVATION' | 'SPECIFIC_RESERVATION' | 'NO_RESERVATION'
  readonly key?: string
  readonly values?: readonly string[]
}

const reservationName = 'compute.googleapis.com/reservation-name'

/** `staysOnItsHost`: GCE moves no instance of this type to another host. */
export function marketOf(spec: GCPMachineSpec, staysOnItsHost: boolean): Market {
  return {
    capacityType: capacityTypeOf(spec),
    scheduling: isSpot(spec) ? spotScheduling(spec) : standardScheduling(spec, staysOnItsHost),
    reservationAffinity: affinityOf(spec),
  }
}

/** The spec with which this is bought. The spec's own terms hold in their own market, and usual ones in others. */
export function boughtAs(spec: GCPMachineSpec, { capacityType, instanceType }: Offering): GCPMachineSpec {
  if (capacityTypeOf(spec) === capacityType) return { ...spec, instanceType }
  if (capacityType === 'Reserved') throw noReservation('spec.reservationAffinity of the GCPMachine')
  const { preemptible: _, reservationAffinity: affinity, ...rest } = spec
  if (capacityType === 'Spot') return { ...rest, instanceType, provisioningModel: 'Spot' }
  const isOpen = affinity !== undefined && affinity.consumeReservationType !== 'SPECIFIC_RESERVATION'
  return { ...rest, instanceType, provisioningModel: 'Standard', ...(isOpen ? { reservationAffinity: affinity } : {}) }
}

/** `preemptible` is the older offer, with the same terms except that it ends after 24 hours. */
export function isSpot({ provisioningModel, preemptible }: GCPMachineSpec): boolean {
  return provisioningModel === 'Spot' || preemptible === true
}

/** With open reservations nothing ever shows whether one was used. */
export function capacityTypeOf(spec: GCPMachineSpec): CapacityType {
  if (isSpot(spec)) return 'Spot'
  return spec.reservationAffinity?.consumeReservationType === 'SPECIFIC_RESERVATION' ? 'Reserved' : 'OnDemand'
}

function spotScheduling(spec: GCPMachineSpec): Scheduling {
  const terms = { automaticRestart: false, onHostMaintenance: 'TERMINATE' } as const
  if (spec.provisioningModel !== 'Spot') return { preemptible: true, ...terms }
  const { instanceTerminationAction, preemptionNoticeDuration } = spec
  return {
    provisioningModel: 'SPOT',
    instanceTerminationAction: instanceTerminationAction === 'Delete' ? 'DELETE' : 'STOP',
    ...(preemptionNoticeDuration === undefined
      ? {}
      : { preemptionNoticeDuration: { seconds: preemptionNoticeDuration.replace(/s$/, '') } }),
    ...terms,
  }
}

/** Whether the type decides what happens during maintenance of its host: spot instances always end. */
export function mayMigrate(spec: GCPMachineSpec): boolean {
  const { onHostMaintenance, guestAccelerators = [] } = spec
  return !isSpot(spec) && onHostMaintenance !== 'Terminate' && guestAccelerators.length === 0
}

function standardScheduling(spec: GCPMachineSpec, staysOnItsHost: boolean): Scheduling {
  const { onHostMaintenance } = spec
  const terminates = staysOnItsHost || !mayMigrate(spec)
  return {
    provisioningModel: 'STANDARD',
    ...(terminates ? { onHostMaintenance: 'TERMINATE' } : {}),
    ...(onHostMaintenance === 'Migrate' && !terminates ? { onHostMaintenance: 'MIGRATE' } : {}),
  }
}

/** GCE runs no spot instance in a reservation, and refuses one whose affinity is left open. */
function affinityOf(spec: GCPMachineSpec): ReservationAffinity | undefined {
  if (isSpot(spec)) return { consumeReservationType: 'NO_RESERVATION' }
  const { consumeReservationType, values = [] } = spec.reservationAffinity ?? {}
  if (consumeReservationType === 'SPECIFIC_RESERVATION') {
    return { consumeReservationType, key: spec.reservationAffinity?.key ?? reservationName, values }
  }
  return consumeReservationType ? { consumeReservationType } : undefined
}
