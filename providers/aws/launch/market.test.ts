import { describe, expect, it } from 'vitest'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'
import { boughtAs, marketOf } from './market.ts'

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

describe('a spec, bought as another offering', () => {
  const as = (capacityType: 'Spot' | 'OnDemand' | 'Reserved', spec: Partial<AWSMachineSpec>) =>
    boughtAs({ instanceType: 'm5.large', ...spec }, { capacityType, instanceType: 'm6i.large', zone: 'us-east-1a' })

  it('keeps its terms in its own market', () => {
    const spot = { spotMarketOptions: { maxPrice: '0.05' } }
    expect(as('Spot', spot)).toEqual({ instanceType: 'm6i.large', ...spot })
    const reserved = { capacityReservationId: 'cr-1' }
    expect(as('Reserved', reserved)).toEqual({ instanceType: 'm6i.large', ...reserved })
  })

  it.each([
    { spotMarketOptions: { maxPrice: '0.05' } },
    { marketType: 'Spot' },
    {},
    { capacityReservationPreference: 'Open' },
    { capacityReservationPreference: 'CapacityReservationsOnly' },
    { capacityReservationId: 'cr-1' },
    { marketType: 'CapacityBlock', capacityReservationId: 'cr-1' },
  ] satisfies Partial<AWSMachineSpec>[])('leaves the terms of another market behind: %o', (spec) => {
    const [spot, onDemand] = [market(as('Spot', spec)), market(as('OnDemand', spec))]
    expect([spot.capacityType, spot.options?.MarketType, spot.reservation]).toEqual(['Spot', 'spot', undefined])
    expect([onDemand.capacityType, onDemand.options]).toEqual(['OnDemand', undefined])
    expect(onDemand.reservation?.CapacityReservationTarget).toBeUndefined()
  })

  it('cannot be reserved without a reservation', () => {
    expect(() => as('Reserved', {})).toThrow('set spec.capacityReservationId of the AWSMachine, or remove the rung.')
  })
})
