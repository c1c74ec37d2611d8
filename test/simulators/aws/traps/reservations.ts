import { nowhere, onDemand, reserved, type Trap } from './trap.ts'

const missing = `cr-${nowhere}`

/** What a launch cannot ask of capacity that is kept free, nor of its neighbours. */
export const reservationTerms: readonly Trap[] = [
  {
    trap: 'a capacity reservation id that is none',
    said: { ...onDemand, ...reserved('mine') },
    code: 'InvalidCapacityReservationId.Malformed',
    message: '"mine"',
  },
  {
    trap: 'a capacity reservation that is not there',
    said: { ...onDemand, ...reserved(missing) },
    code: 'InvalidCapacityReservationId.NotFound',
    message: missing,
  },
  {
    trap: 'a spot instance in a capacity reservation',
    said: reserved(missing),
    code: 'InvalidParameterCombination',
    message: 'Spot Instances cannot run in a Capacity Reservation.',
  },
  {
    trap: 'a spot instance in reservations only',
    said: reserved(undefined, 'capacity-reservations-only'),
    code: 'InvalidParameterCombination',
    message: 'Spot Instances cannot run in a Capacity Reservation.',
  },
  {
    trap: 'a capacity reservation, and to keep out of them',
    said: { ...onDemand, ...reserved(missing, 'none') },
    code: 'InvalidParameterCombination',
    message: "The capacity reservation preference 'none' cannot be used with a capacity reservation target.",
  },
  {
    trap: 'reservations only, where none is open',
    said: { ...onDemand, ...reserved(undefined, 'capacity-reservations-only') },
    code: 'ReservationCapacityExceeded',
    message: 'The requested reservation does not have sufficient compatible and available capacity for this request.',
  },
  {
    trap: 'a capacity block without saying which',
    said: { InstanceMarketOptions: { MarketType: 'capacity-block' } },
    code: 'InvalidParameterCombination',
    message: 'requires a capacity reservation target',
  },
  {
    trap: 'a placement group that is not there',
    said: { Placement: { GroupName: 'gone' } },
    code: 'InvalidPlacementGroup.Unknown',
    message: "The Placement Group 'gone' is unknown.",
  },
  {
    trap: 'a partition of a placement group that has none',
    said: { Placement: { GroupName: 'spot-apart', PartitionNumber: 1 } },
    code: 'InvalidParameterCombination',
    message: 'of strategy partition only',
  },
  {
    trap: 'a partition that the placement group has not',
    said: { Placement: { GroupName: 'spot-racks', PartitionNumber: 4 } },
    code: 'InvalidParameterValue',
    message: 'from 1 to 3',
  },
]
