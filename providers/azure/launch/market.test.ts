import { describe, expect, it } from 'vitest'
import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import { boughtAs, marketOf } from './market.ts'

const usual: AzureMachineSpec = { vmSize: 'Standard_D2s_v5', image: { id: 'i' } }

describe('a spec, bought as another offering', () => {
  const as = (capacityType: 'Spot' | 'OnDemand' | 'Reserved', spec: Partial<AzureMachineSpec>) =>
    boughtAs({ ...usual, ...spec }, { capacityType, instanceType: 'Standard_D4s_v5', zone: '' })

  it('keeps its terms in its own market', () => {
    const spot = { spotVMOptions: { maxPrice: '0.05', evictionPolicy: 'Delete' } } as const
    expect(as('Spot', spot)).toEqual({ ...usual, vmSize: 'Standard_D4s_v5', ...spot })
  })

  it.each([{}, { spotVMOptions: { maxPrice: '0.05' } }, { capacityReservationGroupID: '/group' }])(
    'leaves the terms of another market behind: %o',
    (spec) => {
      expect(marketOf(as('Spot', spec))).toMatchObject({ capacityType: 'Spot', properties: { priority: 'Spot' } })
      expect(marketOf(as('Spot', spec)).properties).not.toHaveProperty('capacityReservation')
      expect(marketOf(as('OnDemand', spec))).toEqual({ capacityType: 'OnDemand', properties: {} })
    },
  )

  it('cannot be reserved without a reservation', () => {
    const field = 'spec.capacityReservationGroupID of the AzureMachine'
    expect(() => as('Reserved', {})).toThrow(`set ${field}, or remove the rung.`)
  })
})
