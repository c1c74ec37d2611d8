import { describe, expect, it } from 'vitest'
import { noticeTermsOf } from '../policy.ts'
import { actFor } from './notice-acts.ts'

const terms = noticeTermsOf()

describe.each(['Spot', 'CapacityEnding', 'Rehearsal'] as const)('%s is the end, or a fire drill of it', (kind) => {
  it.each([
    ['DeleteMachine', 'Delete'],
    ['Remediate', 'Remediate'],
    ['ConditionOnly', 'Tell'],
  ] as const)('onNotice: %s is %s, whatever onRebalance says', (onNotice, act) => {
    for (const onRebalance of ['Ignore', 'ConditionOnly', 'Cordon', 'Replace'] as const) {
      expect(actFor(kind, { ...terms, onNotice, onRebalance })).toBe(act)
    }
  })
})

describe.each(['Rebalance', 'Maintenance'] as const)('%s is a risk', (kind) => {
  it.each([
    ['Ignore', undefined],
    ['ConditionOnly', 'Tell'],
    ['Cordon', 'Cordon'],
    ['Replace', 'Delete'],
  ] as const)('onRebalance: %s is %s, whatever onNotice says', (onRebalance, act) => {
    for (const onNotice of ['DeleteMachine', 'Remediate', 'ConditionOnly'] as const) {
      expect(actFor(kind, { ...terms, onNotice, onRebalance })).toBe(act)
    }
  })
})

it('a lifetime ends whatever the policy says of notices', () => {
  expect(actFor('Lifetime', { ...terms, onNotice: 'ConditionOnly', onRebalance: 'Ignore' })).toBe('Delete')
})

it('without a policy the end deletes the Machine, and a risk is only told', () => {
  expect([actFor('Spot', terms), actFor('Rebalance', terms)]).toEqual(['Delete', 'Tell'])
})
