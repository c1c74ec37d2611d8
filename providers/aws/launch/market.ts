import type {
  CapacityReservationPreference,
  CapacityReservationSpecification,
  InstanceMarketOptionsRequest,
} from '@aws-sdk/client-ec2'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'
import type { CapacityType, Offering } from '../../../api/offering.ts'
import { noReservation } from '../../shared/invalid.ts'

/** How an instance is bought. */
export interface Market {
  readonly capacityType: CapacityType
  /** Undefined: on demand. */
  readonly options: InstanceMarketOptionsRequest | undefined
  readonly reservation: CapacityReservationSpecification | undefined
}

const preferences: Readonly<Record<string, CapacityReservationPreference>> = {
  None: 'none',
  Open: 'open',
  CapacityReservationsOnly: 'capacity-reservations-only',
}

export function marketOf(spec: AWSMachineSpec): Market {
  return { capacityType: capacityTypeOf(spec), options: optionsOf(spec), reservation: reservationOf(spec) }
}

/** The spec with which this is bought. The spec's own terms hold in their own market, and usual ones in others. */
export function boughtAs(spec: AWSMachineSpec, { capacityType, instanceType }: Offering): AWSMachineSpec {
  if (capacityTypeOf(spec) === capacityType) return { ...spec, instanceType }
  if (capacityType === 'Reserved') throw noReservation('spec.capacityReservationId of the AWSMachine')
  const { spotMarketOptions: _, capacityReservationId: __, capacityReservationPreference: open, ...rest } = spec
  if (capacityType === 'Spot') return { ...rest, instanceType, marketType: 'Spot' }
  const isOpen = open !== undefined && open !== 'CapacityReservationsOnly'
  return { ...rest, instanceType, marketType: 'OnDemand', ...(isOpen ? { capacityReservationPreference: open } : {}) }
}

/** `spotMarketOptions` alone means spot. */
function isSpot({ marketType, spotMarketOptions }: AWSMachineSpec): boolean {
  return (marketType ?? (spotMarketOptions ? 'Spot' : 'OnDemand')) === 'Spot'
}

/** With open reservations only the instance shows whether it used one. */
function capacityTypeOf(spec: AWSMachineSpec): CapacityType {
  if (isSpot(spec)) return 'Spot'
  const reserved = spec.capacityReservationId || spec.capacityReservationPreference === 'CapacityReservationsOnly'
  return reserved ? 'Reserved' : 'OnDemand'
}

function optionsOf(spec: AWSMachineSpec): InstanceMarketOptionsRequest | undefined {
  if (spec.marketType === 'CapacityBlock') return { MarketType: 'capacity-block' }
  if (!isSpot(spec)) return undefined
  return {
    MarketType: 'spot',
    SpotOptions: {
      // EC2 ends an instance that it takes back: it does not stop it, and buys no other.
      SpotInstanceType: 'one-time',
      InstanceInterruptionBehavior: 'terminate',
      // Templates of Cluster API Provider AWS write '' for "no limit of our own".
      MaxPrice: spec.spotMarketOptions?.maxPrice || undefined,
    },
  }
}

function reservationOf(spec: AWSMachineSpec): CapacityReservationSpecification | undefined {
  const { capacityReservationId, capacityReservationPreference = '' } = spec
  const preference = preferences[capacityReservationPreference]
  if (!capacityReservationId && !preference) return undefined
  return {
    CapacityReservationPreference: preference,
    CapacityReservationTarget: capacityReservationId ? { CapacityReservationId: capacityReservationId } : undefined,
  }
}
