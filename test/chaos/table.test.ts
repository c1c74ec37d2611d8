import { expect, it } from 'vitest'
import type { Outcome } from './campaign.ts'
import { isClean, tableOf } from './table.ts'

const clean: Outcome = {
  cloud: 'gcp',
  seed: 7,
  kills: 22,
  notices: 12,
  bought: 40,
  duplicates: [],
  leaks: [],
  touched: [],
  wrongEnds: [],
  missed: [],
  worstRecoveryMs: 1_240,
}

it('is one line a run, under its heads', () => {
  expect(tableOf([clean]).split('\n')).toEqual([
    'cloud  seed  kills  notices  instances  duplicates  leaks  foreign touches  wrong ends  worst recovery',
    'gcp    7     22     12       40         0           0      0                0           1.2 s',
  ])
})

it.each(['duplicates', 'leaks', 'touched', 'wrongEnds', 'missed'] as const)(
  'names what should not be, and is not clean: %s',
  (what) => {
    const bad = { ...clean, [what]: ['herd-x1'] }
    expect([isClean(clean), isClean(bad)]).toEqual([true, false])
    expect(tableOf([clean, bad]).split('\n').at(-1)).toMatch(/^gcp, seed 7: .+ herd-x1$/)
  },
)
