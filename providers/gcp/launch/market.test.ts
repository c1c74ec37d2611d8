import { describe, expect, it } from 'vitest'
import type { GCPMachineSpec } from '../../../api/generated/gcp-machine.ts'
import { boughtAs, marketOf } from './market.ts'

const market = (spec: Partial<GCPMachineSpec>, staysOnItsHost = false) =>
  marketOf({ instanceType: 'e2-standard-4', ...spec }, staysOnItsHost)
const spot = { automaticRestart: false, onHostMaintenance: 'TERMINATE' }
const none = { consumeReservationType: 'NO_RESERVATION' }

describe('how an instance is bought', () => {
  it.each([
    ['spot', { provisioningModel: 'Spot' }, { provisioningModel: 'SPOT', instanceTerminationAction: 'STOP', ...spot }],
    [
      'spot that is deleted, after a notice',
      { provisioningModel: 'Spot', instanceTerminationAction: 'Delete', preemptionNoticeDuration: '120s' },
      {
        provisioningModel: 'SPOT',
        instanceTerminationAction: 'DELETE',
        preemptionNoticeDuration: { seconds: '120' },
        ...spot,
      },
    ],
    [
      'spot that says it twice',
      { provisioningModel: 'Spot', preemptible: true, onHostMaintenance: 'Terminate' },
      { provisioningModel: 'SPOT', instanceTerminationAction: 'STOP', ...spot },
    ],
    ['preemptible, the older form', { preemptible: true }, { preemptible: true, ...spot }],
    [
      'preemptible beside Standard',
      { preemptible: true, provisioningModel: 'Standard' },
      { preemptible: true, ...spot },
    ],
  ] as const)('%s', (_, spec, scheduling) => {
    expect(market(spec)).toEqual({ capacityType: 'Spot', scheduling, reservationAffinity: none })
  })

  it.each([
    ['nothing said', {}, {}],
    ['Standard', { provisioningModel: 'Standard', onHostMaintenance: 'Migrate' }, { onHostMaintenance: 'MIGRATE' }],
    ['Terminate', { onHostMaintenance: 'Terminate' }, { onHostMaintenance: 'TERMINATE' }],
    ['accelerators', { guestAccelerators: [{ type: 't4', count: 1 }] }, { onHostMaintenance: 'TERMINATE' }],
  ] as const)('on demand: %s', (_, spec, scheduling) => {
    expect(market(spec as Partial<GCPMachineSpec>)).toEqual({
      capacityType: 'OnDemand',
      scheduling: { provisioningModel: 'STANDARD', ...scheduling },
      reservationAffinity: undefined,
    })
  })

  it('on demand, of a type that GCE never moves: ends with its host, whatever is said', () => {
    for (const spec of [{}, { onHostMaintenance: 'Migrate' as const }]) {
      expect(market(spec, true).scheduling).toEqual({ provisioningModel: 'STANDARD', onHostMaintenance: 'TERMINATE' })
    }
  })

  it('in a reservation that is named, by the one key that there is', () => {
    const reservationAffinity = { consumeReservationType: 'SPECIFIC_RESERVATION', values: ['r1'] } as const
    expect(market({ reservationAffinity: { ...reservationAffinity, values: ['r1'] } })).toMatchObject({
      capacityType: 'Reserved',
      reservationAffinity: { ...reservationAffinity, key: 'compute.googleapis.com/reservation-name' },
    })
    expect(market({ reservationAffinity: { consumeReservationType: 'ANY_RESERVATION' } })).toMatchObject({
      capacityType: 'OnDemand',
      reservationAffinity: { consumeReservationType: 'ANY_RESERVATION' },
    })
  })
})

describe('a spec, bought as another offering', () => {
  const as = (capacityType: 'Spot' | 'OnDemand' | 'Reserved', spec: Partial<GCPMachineSpec>) =>
    boughtAs({ instanceType: 'e2-standard-4', ...spec }, { capacityType, instanceType: 'n2-standard-4', zone: '' })

  it('keeps its terms in its own market', () => {
    const spot = { preemptible: true }
    expect(as('Spot', spot)).toEqual({ instanceType: 'n2-standard-4', ...spot })
  })

  it.each([
    { preemptible: true },
    { provisioningModel: 'Spot', instanceTerminationAction: 'Delete' },
    {},
    { reservationAffinity: { consumeReservationType: 'SPECIFIC_RESERVATION', values: ['r'] } },
    { reservationAffinity: { consumeReservationType: 'ANY_RESERVATION' } },
  ] satisfies Partial<GCPMachineSpec>[])('leaves the terms of another market behind: %o', (spec) => {
    const [bought, onDemand] = [market(as('Spot', spec)), market(as('OnDemand', spec))]
    expect([bought.capacityType, bought.reservationAffinity]).toEqual(['Spot', none])
    expect([onDemand.capacityType, onDemand.scheduling.provisioningModel]).toEqual(['OnDemand', 'STANDARD'])
    expect(onDemand.reservationAffinity?.consumeReservationType).not.toBe('SPECIFIC_RESERVATION')
  })

  it('cannot be reserved without a reservation', () => {
    expect(() => as('Reserved', {})).toThrow('set spec.reservationAffinity of the GCPMachine, or remove the rung.')
  })
})
