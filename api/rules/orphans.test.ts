import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longestStallMs, ownTimeOf } from '../../test/own-time.ts'
import { judgeSweep, orphansAmong, type ClaimingMachine, type OwnedInstance } from './orphans.ts'

const instance = (n: number): OwnedInstance => ({
  id: `i-${n}`,
  name: `m${n}`,
  machine: `default/m${n}`,
  token: `t${n}`,
})
const machine = (n: number, over: Partial<ClaimingMachine> = {}): ClaimingMachine => ({
  machine: `default/m${n}`,
  token: `t${n}`,
  providerID: undefined,
  ...over,
})

describe('who is an orphan', () => {
  it.each([
    ['its machine has the attempt', [machine(1)], 0],
    ['another machine has the attempt: renamed, or moved', [machine(2, { token: 't1' })], 0],
    ['a machine names it by providerID', [machine(2, { token: undefined, providerID: 'aws:///a/i-1' })], 0],
    ['its machine has lost its attempt and will adopt it', [machine(1, { token: undefined })], 0],
    [
      'its machine has lost its attempt, and is another instance’s for ever',
      [machine(1, { token: undefined, providerID: 'aws:///a/i-2' })],
      1,
    ],
    ['no machine has its name', [machine(2)], 1],
    ['its machine has another attempt', [machine(1, { token: 'newer' })], 1],
    ['there is no machine at all', [], 1],
  ])('%s', (_, machines, count) => {
    expect(orphansAmong([instance(1)], machines)).toHaveLength(count)
  })

  it('never one whose token a machine holds, whatever else is there', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 30 }))
    fc.assert(
      fc.property(numbers, numbers, (live, known) => {
        const orphans = orphansAmong(
          live.map(instance),
          known.map((n) => machine(n)),
        )
        expect(orphans.map(({ id }) => id).toSorted()).toEqual(
          live
            .filter((n) => !known.includes(n))
            .map((n) => `i-${n}`)
            .toSorted(),
        )
      }),
    )
  })
})

describe('a providerID that somebody wrote', () => {
  const parts = fc.array(fc.constantFrom('', 'aws:', 'ibm:', 'zone', 'i-0', 'm0', '..', '%2F', '😀', '\u0000'), {
    maxLength: 12,
  })
  const text = fc.oneof(
    fc.string(),
    parts.map((all) => all.join('/')),
    fc.nat({ max: 100_000 }).map((n) => '/'.repeat(n)),
  )

  it('spares at most the instance that it ends with, and is read at once', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (providerID) => {
        const work = () => orphansAmong([instance(0), instance(1)], [{ machine: 'other', token: 'x', providerID }])
        const spared = ['i-0', 'm0'].includes(providerID.split('/').at(-1) ?? '') ? 1 : 0
        const other = ['i-1', 'm1'].includes(providerID.split('/').at(-1) ?? '') ? 1 : 0
        expect(work()).toHaveLength(2 - spared - other)
        expect(await ownTimeOf(work)).toBeLessThan(longestStallMs)
      }),
    )
  })
})

describe('what is done about it', () => {
  const some = (n: number) => Array.from({ length: n }, (_, i) => instance(i))

  it.each([
    [1, 3, true],
    [2, 3, true],
    [3, 3, false],
    [5, 100, true],
    [6, 100, false],
  ])('%s of %s: ended is %s', (orphans, instances, ended) => {
    const verdict = judgeSweep({ orphans: some(orphans), instances, mode: 'Terminate' })
    expect('terminate' in verdict).toBe(ended)
  })

  it('only tells when asked to', () => {
    const verdict = judgeSweep({ orphans: some(1), instances: 100, mode: 'Report' })
    expect(verdict).toEqual({
      report: '1 of 100 instances belong to no machine: i-0 (m0). They are left alone because of --orphans=Report.',
    })
  })
})
