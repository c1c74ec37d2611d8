import { expect, it, test } from 'vitest'
import { decided } from '../../../test/support/decided.ts'
import { inWords } from './in-words.ts'

it('says what was announced, when, and what follows', () => {
  expect(inWords(decided)).toBe(
    'Notice of kind Spot for instance i-1. It ends at 12:02:00 UTC or later. ' +
      'The manager deletes the Machine, and its MachineSet replaces it at once.',
  )
})

it('a Machine that counts as failed waits only if its instance is young', () => {
  expect(inWords({ ...decided, act: 'Remediate' })).toMatch(
    /is replaced at once, or after a pause if its instance ran for less than minHealthySeconds\.$/,
  )
})

test.each(['Tell', 'Cordon'] as const)('%s names the default too: most Clusters have no policy', (act) => {
  expect(inWords({ ...decided, kind: 'Rebalance', act })).toMatch(
    /The Machine stays, as its InterruptionPolicy says, or the default without one\.$/,
  )
  expect(inWords({ ...decided, act, because: 'It is a control plane.' })).toMatch(/ It is a control plane\.$/)
})
