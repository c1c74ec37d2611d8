import { describe, expect, it } from 'vitest'
import { isDefinite, refusalKindOf, refusalKinds, refusals, type RefusalKind } from './refusal.ts'

describe('a definite no', () => {
  const definite: readonly RefusalKind[] = ['capacity', 'price', 'quota', 'subnet', 'reservation', 'invalid', 'ended']

  it('is the same for every cloud: a price that is too low is one', () => {
    expect(refusalKinds.filter(isDefinite)).toEqual(definite)
  })

  it('is not that something is missing: a read may lack what is there, and adapters say "invalid" where they know', () => {
    expect(isDefinite('missing')).toBe(false)
  })

  it('leaves nothing open, or the machine would fail while an instance may still come', () => {
    expect(definite.filter((kind) => refusals[kind].leavesOpen)).toEqual([])
  })
})

it('the result is unknown only after a call without an answer, or one about an instance that may be ours', () => {
  expect(refusalKinds.filter((kind) => refusals[kind].leavesOpen)).toEqual(['ambiguous', 'conflict'])
})

it('what fails with one reason shares one backoff: remediation knows the reason alone', () => {
  const byReason = Map.groupBy(Object.values(refusals), ({ failsWith }) => failsWith)
  for (const [reason, rows] of byReason) {
    expect([reason, new Set(rows.map(({ sharesBackoff }) => sharesBackoff)).size]).toEqual([reason, 1])
  }
})

it('only a full subnet excludes no more than a subnet', () => {
  expect(refusalKinds.filter((kind) => refusals[kind].excludes === 'subnet')).toEqual(['subnet'])
})

it.each(['rung', '', 'constructor', '__proto__', 'toString'])(
  'a kind that is not known, %j, explains nothing',
  (text) => {
    expect(refusals[refusalKindOf(text)].failsWith).toBe('LaunchFailed')
  },
)

it('a kind that is known stays itself', () => {
  expect(refusalKinds.map(refusalKindOf)).toEqual(refusalKinds)
})
