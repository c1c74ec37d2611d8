import { expect, it } from 'vitest'
import { phaseOf, type Phase, type PhaseFacts } from './phase.ts'

const refused = { kind: 'capacity', code: 'None', message: 'None.' } as const
const nothing: PhaseFacts = { attempt: undefined, providerID: undefined, isLeaving: false, isShown: () => false }

it.each<[string, Phase, Partial<PhaseFacts>]>([
  ['without an attempt', 'unrequested', {}],
  ['with an attempt', 'requested', { attempt: {} }],
  ['with the id of its instance', 'bought', { attempt: { handle: 'i-1' } }],
  ['whose attempt is lost, but not its providerID', 'bought', { providerID: 'aws:///a/i-1' }],
  ['refused at the call', 'refused', { attempt: { refused } }],
  ['refused after the yes', 'refused', { attempt: { refused, handle: 'i-1' } }],
  ['refused, whatever else is kept', 'refused', { attempt: { refused }, providerID: 'aws:///a/i-1' }],
  ['refused, of which something is left', 'leftover', { attempt: { refused }, isShown: () => true }],
  ['refused, that goes on when nothing is left', 'leftover', { attempt: { refused: { ...refused, goesOn: true } } }],
  ['that is deleted, whatever it was', 'leaving', { attempt: { refused }, isLeaving: true, isShown: () => true }],
])('a machine %s is %s', (_, phase, facts) => {
  expect(phaseOf({ ...nothing, ...facts })).toBe(phase)
})

it('the cloud is looked at for a refused attempt only', () => {
  const isShown = (): boolean => {
    throw new Error('It was looked at.')
  }
  expect(phaseOf({ ...nothing, attempt: { handle: 'i-1' }, isShown })).toBe('bought')
  expect(phaseOf({ ...nothing, attempt: { refused }, isLeaving: true, isShown })).toBe('leaving')
})
