import { nowhere, onDemand, reserved, trapsOf } from './trap.ts'

const missing = `cr-${nowhere}`

/** What a launch cannot ask of capacity that is kept free, nor of its neighbours. */
export const reservationTerms = trapsOf({
  'InvalidCapacityReservationId.Malformed': [
    ['a capacity reservation id that is none', { ...onDemand, ...reserved('mine') }, '"mine"'],
  ],
  'InvalidCapacityReservationId.NotFound': [
    ['a capacity reservation that is not there', { ...onDemand, ...reserved(missing) }, missing],
  ],
  InvalidParameterCombination: [
    [
      'a spot instance in a capacity reservation',
      reserved(missing),
      'Spot Instances cannot run in a Capacity Reservation.',
    ],
    [
      'a spot instance in reservations only',
      reserved(undefined, 'capacity-reservations-only'),
      'Spot Instances cannot run in a Capacity Reservation.',
    ],
    [
      'a capacity reservation, and to keep out of them',
      { ...onDemand, ...reserved(missing, 'none') },
      "The capacity reservation preference 'none' cannot be used with a capacity reservation target.",
    ],
    [
      'a capacity block without saying which',
      { InstanceMarketOptions: { MarketType: 'capacity-block' } },
      'requires a capacity reservation target',
    ],
    [
      'a partition of a placement group that has none',
      { Placement: { GroupName: 'spot-apart', PartitionNumber: 1 } },
      'of strategy partition only',
    ],
  ],
  ReservationCapacityExceeded: [
    [
      'reservations only, where none is open',
      { ...onDemand, ...reserved(undefined, 'capacity-reservations-only') },
      'The requested reservation does not have sufficient compatible and available capacity for this request.',
    ],
  ],
  'InvalidPlacementGroup.Unknown': [
    [
      'a placement group that is not there',
      { Placement: { GroupName: 'gone' } },
      "The Placement Group 'gone' is unknown.",
    ],
  ],
  InvalidParameterValue: [
    [
      'a partition that the placement group has not',
      { Placement: { GroupName: 'spot-racks', PartitionNumber: 4 } },
      'from 1 to 3',
    ],
  ],
})
