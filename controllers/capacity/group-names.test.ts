import { describe, expect, it } from 'vitest'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { groupsClosedBy, holds } from '../../api/rules/capacity/what-closes.ts'
import { fakeScope } from '../../test/support/fakes/fake-cloud.ts'
import { askedOf, groupNamesOf } from './group-names.ts'

const offering = { capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a' } as const

function asked(spec: object) {
  const infra = { apiVersion: 'v', kind: 'AWSMachine', metadata: { namespace: 'default', name: 'm' }, spec }
  return askedOf({ scope: fakeScope, offering, infra: infra as InfraMachine })
}

/** Whether a lack of capacity for the one holds back the other. */
function isHeld(refused: object, other: object): boolean {
  return groupsClosedBy({ ...asked(refused), kind: 'capacity' }).some((group) => holds(group, asked(other)))
}

describe('a refusal under a constraint holds back only machines with the same', () => {
  it.each<[string, unknown, unknown]>([
    ['placementGroupName', 'spread', 'cluster'],
    ['placementGroupPartition', 1, 2],
    ['tenancy', 'dedicated', 'host'],
    ['hostID', 'h-1', 'h-2'],
    ['hostAffinity', 'host', 'none'],
    ['capacityReservationId', 'cr-1', 'cr-2'],
    ['capacityReservationGroupID', '/group/1', '/group/2'],
    ['guestAccelerators', [{ type: 't4', count: 1 }], [{ type: 't4', count: 2 }]],
    ['reservationAffinity', { policy: 'manual', pool: ['r-1'] }, { policy: 'manual', pool: ['r-2'] }],
    ['placementTarget', { dedicatedHost: 'a' }, { placementGroup: 'b' }],
  ])('%s', (field, value, another) => {
    const constrained = { [field]: value }
    expect(isHeld(constrained, constrained), 'the same').toBe(true)
    expect(isHeld(constrained, {}), 'none').toBe(false)
    expect(isHeld({}, constrained), 'the other way round').toBe(false)
    expect(isHeld(constrained, { [field]: another }), 'another').toBe(false)
  })

  it('and fields that narrow no capacity are no constraints', () => {
    expect(isHeld({ imageLookupOrg: '1', sshKeyName: 'a' }, { publicIP: true })).toBe(true)
  })

  it.each([{ tenancy: 'default' }, { placementGroupName: '' }, { guestAccelerators: [] }, { hostID: undefined }])(
    'and what is the same as nothing is no constraint: %j',
    (usual) => {
      expect(isHeld(usual, {})).toBe(true)
      expect(isHeld({}, usual)).toBe(true)
    },
  )
})

describe('a refused price holds back those who pay no more', () => {
  const isHeldByPrice = (refused: object, other: object) =>
    groupsClosedBy({ ...asked(refused), kind: 'price' }).some((group) => holds(group, asked(other)))

  it.each([
    ['0.05', '0.05', true],
    ['0.05', '0.050', true],
    ['0.05', '0.04', true],
    ['0.05', '0.06', false],
    ['', '0.06', false],
    ['0.05', '', false],
    ['', undefined, true],
  ])('%j and then %j', (refused, other, held) => {
    const paying = (maxPrice: string | undefined) => ({ spotMarketOptions: { maxPrice } })
    expect(isHeldByPrice(paying(refused), paying(other))).toBe(held)
  })
})

it('a machine that was not requested yet shares only what its template says', () => {
  const machine = { metadata: { namespace: 'default', name: 'm' }, spec: {} } as unknown as Machine
  const names = groupNamesOf({ machine, infra: undefined, attempt: undefined })
  expect(names).toEqual({
    offering: undefined,
    price: undefined,
    quota: undefined,
    others: [],
    launch: 'launch Machine default/m ',
    node: 'node Machine default/m ',
  })
})
