import { describe, expect, it } from 'vitest'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'
import { marketOf } from './market.ts'

function market(spec: Partial<AWSMachineSpec>) {
  return marketOf({ instanceType: 'm5.large', ...spec })
}

describe('how it is bought', () => {
  it.each([
    [{ marketType: 'Spot' }, 'Spot'],
    [{ spotMarketOptions: {} }, 'Spot'],
    [{ marketType: 'OnDemand' }, 'OnDemand'],
    [{}, 'OnDemand'],
    [{ capacityReservationPreference: 'Open' }, 'OnDemand'],
    [{ capacityReservationPreference: '' }, 'OnDemand'],
    [{ capacityReservationPreference: 'CapacityReservationsOnly' }, 'Reserved'],
    [{ capacityReservationId: 'cr-1' }, 'Reserved'],
    [{ marketType: 'CapacityBlock', capacityReservationId: 'cr-1' }, 'Reserved'],
  ] satisfies [Partial<AWSMachineSpec>, string][])('with %o is %s', (spec, capacityType) => {
    expect(market(spec).capacityType).toBe(capacityType)
  })

  it('names no maximum price when none is set: the on-demand price is the limit then', () => {
    expect(market({ spotMarketOptions: {} }).options?.SpotOptions?.MaxPrice).toBeUndefined()
    expect(market({ spotMarketOptions: { maxPrice: '' } }).options?.SpotOptions?.MaxPrice).toBeUndefined()
  })
})

describe('reservations', () => {
  it.each([
    ['None', 'none'],
    ['Open', 'open'],
    ['CapacityReservationsOnly', 'capacity-reservations-only'],
  ] as const)('with the preference %s are asked for as %s', (capacityReservationPreference, wanted) => {
    expect(market({ capacityReservationPreference }).reservation).toEqual({ CapacityReservationPreference: wanted })
  })

  it('are left to EC2 where nothing is said', () => {
    expect(market({ capacityReservationPreference: '' }).reservation).toBeUndefined()
    expect(market({}).reservation).toBeUndefined()
  })
})
