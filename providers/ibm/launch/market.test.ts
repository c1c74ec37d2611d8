import { describe, expect, it } from 'vitest'
import { flex } from '../../../test/support/clouds/ibm-specs.ts'
import type { IBMMachineSpec } from '../../../api/generated/ibm-machine.ts'
import { profileFacts } from '../lookups/facts.ts'
import { boughtAs, marketOf } from './market.ts'

const machine = (over: Partial<IBMMachineSpec> = {}): IBMMachineSpec => ({ profile: 'p', image: { id: 'i' }, ...over })
const spotOnly = { ...flex, name: 'gx3-64x320x4l4', classes: ['spot'], usualClass: 'spot' }
const never = { ...flex, name: 'bxf-looks-like-it', classes: ['standard'] }

describe('the class', () => {
  it.each([
    ['nothing is said, and the profile is sold as both', {}, flex, 'standard'],
    ['spot is asked for', { class: 'spot' }, flex, 'spot'],
    ['standard is asked for', { class: 'standard' }, flex, 'standard'],
    ['the profile is spot and nothing else', {}, spotOnly, 'spot'],
  ] as const)('where %s', (_, availability, profile, wanted) => {
    const market = marketOf(machine({ availability }), profile)
    const capacityType = { spot: 'Spot', standard: 'OnDemand' }[wanted]
    expect(market).toMatchObject({ capacityType, availability: { class: wanted } })
    expect(market.reservation_affinity).toEqual({ policy: 'disabled' })
  })

  it('that the profile is not sold in is refused, by what the profile says and not by its name', () => {
    expect(() => marketOf(machine({ availability: { class: 'spot' } }), never)).toThrow(
      'spec.availability.class of the IBMMachine is spot, but IBM sells profile bxf-looks-like-it as standard only. ' +
        'Use a profile that supports spot, such as the flex profiles (bxf-2x8), or class standard.',
    )
    expect(() => marketOf(machine({ availability: { class: 'standard' } }), spotOnly)).toThrow(
      'IBM sells profile gx3-64x320x4l4 as spot only. Use another profile, or class spot.',
    )
  })

  it('of a profile that is spot by itself excludes what spot excludes', () => {
    const reserved = machine({ reservationAffinity: { policy: 'automatic' } })
    expect(() => marketOf(reserved, spotOnly)).toThrow('spec.reservationAffinity of the IBMMachine excludes spot')
    for (const kind of ['dedicatedHost', 'dedicatedHostGroup']) {
      const placed = machine({ placementTarget: { [kind]: { id: 'h' } } })
      expect(() => marketOf(placed, spotOnly)).toThrow('spec.placementTarget of the IBMMachine excludes spot')
    }
    const apart = machine({ placementTarget: { placementGroup: { id: 'g' } } })
    expect(marketOf(apart, spotOnly).capacityType).toBe('Spot')
  })
})

describe('a profile that cannot use a reservation', () => {
  const small = { ...flex, name: 'nxf-1x4', cpus: 1 }
  const burstable = { ...flex, name: 'bxf-2x8-burst', percentage: 25 }

  it.each([small, burstable])('is asked for without a policy, which one of IBM’s texts forbids: $name', (profile) => {
    for (const over of [{}, { reservationAffinity: { policy: 'disabled' as const } }]) {
      expect(marketOf(machine(over), profile)).not.toHaveProperty('reservation_affinity')
    }
    expect(() => marketOf(machine({ reservationAffinity: { policy: 'automatic' } }), profile)).toThrow(
      `spec.reservationAffinity of the IBMMachine: instances of profile ${profile.name} cannot use a reservation`,
    )
  })
})

describe('a reservation', () => {
  it('that is named is what is bought; one that IBM may choose turns out afterwards', () => {
    const manual = machine({ reservationAffinity: { policy: 'manual', pool: [{ id: 'r' }] } })
    expect(marketOf(manual, flex)).toMatchObject({
      capacityType: 'Reserved',
      reservation_affinity: { policy: 'manual', pool: [{ id: 'r' }] },
    })
    const automatic = marketOf(machine({ reservationAffinity: { policy: 'automatic' } }), flex)
    expect(automatic).toMatchObject({ capacityType: 'OnDemand', reservation_affinity: { policy: 'automatic' } })
  })
})

describe('the policies', () => {
  it.each([
    ['stop, for spot that says nothing', { class: 'spot' }, undefined, { preemption: 'stop' }],
    ['none, for standard that says nothing', { class: 'standard' }, undefined, undefined],
    ['what is said', { class: 'spot' }, { preemption: 'delete' }, { preemption: 'delete' }],
    ['that of hosts too', { class: 'standard' }, { hostFailure: 'stop' }, { host_failure: 'stop' }],
  ] as const)('are %s', (_, availability, availabilityPolicy, policies) => {
    const spec = machine({ availability, ...(availabilityPolicy ? { availabilityPolicy } : {}) })
    expect(marketOf(spec, flex).availability_policy).toEqual(policies)
  })
})

describe('what a profile says of its classes', () => {
  const wire = {
    name: 'p',
    vcpu_count: { type: 'fixed', value: 2 },
    memory: { type: 'fixed', value: 8 },
    vcpu_architecture: {},
  }

  it.each([
    [{ type: 'enum', default: 'standard', values: ['standard', 'spot'] }, ['standard', 'spot'], 'standard'],
    [{ type: 'enum', default: 'spot', values: ['standard', 'spot'] }, ['standard', 'spot'], 'spot'],
    [{ type: 'enum', values: ['spot'] }, ['spot'], 'spot'],
    [{ type: 'fixed', value: 'spot' }, ['spot'], 'spot'],
    [{ type: 'fixed', value: 'standard' }, ['standard'], 'standard'],
    [undefined, ['standard'], 'standard'],
  ])('%j', (availability_class, classes, usualClass) => {
    const profile = availability_class ? { ...wire, availability_class } : wire
    expect(profileFacts(profile)).toMatchObject({ classes, usualClass })
  })
})

describe('a spec, bought as another offering', () => {
  const as = (capacityType: 'Spot' | 'OnDemand' | 'Reserved', spec: Partial<IBMMachineSpec>) =>
    boughtAs(machine(spec), { capacityType, instanceType: flex.name, zone: '' })
  const manual: NonNullable<IBMMachineSpec['reservationAffinity']> = { policy: 'manual', pool: [{ id: 'r' }] }

  it.each([
    {},
    { availability: { class: 'spot' }, availabilityPolicy: { preemption: 'delete', hostFailure: 'stop' } },
    { availability: { class: 'standard' }, reservationAffinity: manual },
    { reservationAffinity: { policy: 'automatic' } },
  ] satisfies Partial<IBMMachineSpec>[])('has the class of its market: %o', (spec) => {
    expect(marketOf(as('Spot', spec), flex)).toMatchObject({ capacityType: 'Spot', availability: { class: 'spot' } })
    expect(marketOf(as('OnDemand', spec), flex)).toMatchObject({
      capacityType: 'OnDemand',
      availability: { class: 'standard' },
    })
  })

  it('keeps its terms in its own market, and what is to happen at a preemption is a term of spot', () => {
    const spec = {
      availability: { class: 'spot' },
      availabilityPolicy: { preemption: 'delete', hostFailure: 'stop' },
    } as const
    expect(as('Spot', spec).availabilityPolicy).toEqual(spec.availabilityPolicy)
    expect(as('OnDemand', spec).availabilityPolicy).toEqual({ hostFailure: 'stop' })
    const reserved = { reservationAffinity: manual }
    expect(as('Reserved', reserved).reservationAffinity).toEqual(manual)
  })

  it('that cannot be is refused, with the field', () => {
    expect(() => as('Reserved', {})).toThrow('set spec.reservationAffinity of the IBMMachine, or remove the rung.')
    const placed = { placementTarget: { dedicatedHost: { id: 'h' } } }
    expect(() => as('Spot', placed)).toThrow('spec.placementTarget of the IBMMachine excludes spot')
  })
})
