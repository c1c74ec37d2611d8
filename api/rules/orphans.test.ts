import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longestStallMs, ownTimeOf } from '../../test/support/own-time.ts'
import type { MachineDigest } from '../ownership.ts'
import {
  isOfAnotherManager,
  judgeSweep,
  lastRenewal,
  orphansAmong,
  seenUntil,
  type ClaimingMachine,
  type OwnedInstance,
} from './orphans.ts'

const digest = (n: number) => `digest-${n}` as MachineDigest
const instance = (n: number): OwnedInstance => ({
  id: `i-${n}`,
  name: `m${n}`,
  tag: { owner: 'owner-1', machine: digest(n), token: `t${n}` },
})
const machine = (n: number, over: Partial<ClaimingMachine> = {}): ClaimingMachine => ({
  machine: digest(n),
  token: `t${n}`,
  providerID: undefined,
  ...over,
})

describe('an orphan', () => {
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
    ['its machine removes what is left of that attempt', [machine(1, { token: 'newer', left: ['t1'] })], 0],
    ['another machine says that it removes it, but cannot', [machine(2, { left: ['t1'] })], 1],
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
        const work = () => orphansAmong([instance(0), instance(1)], [machine(2, { providerID })])
        const spared = ['i-0', 'm0'].includes(providerID.split('/').at(-1) ?? '') ? 1 : 0
        const other = ['i-1', 'm1'].includes(providerID.split('/').at(-1) ?? '') ? 1 : 0
        expect(work()).toHaveLength(2 - spared - other)
        expect(await ownTimeOf(work)).toBeLessThan(longestStallMs)
      }),
    )
  })
})

describe('the maker of an instance', () => {
  const found = Date.UTC(2026, 0, 1)
  const before = { isAttempted: false, isInherited: true, launchedAt: found - 301_000 }

  it.each([
    ['it was there before, and is older than the Lease as it was found', before, false],
    ['it was there before, and is younger', { ...before, launchedAt: found + 1 }, true],
    ['it is younger, as far as that can be told', { ...before, launchedAt: found - 299_000 }, true],
    ['nobody says how old it is', { ...before, launchedAt: undefined }, true],
    ['it came while this process looked', { ...before, isInherited: false }, true],
    ['an attempt of it was seen here', { isAttempted: true, isInherited: false, launchedAt: found + 1 }, false],
  ])('%s: another manager is %s', (_, origin, isAnothers) => {
    expect(isOfAnotherManager(origin, found)).toBe(isAnothers)
  })

  it('the maker is unknown if nobody looked before', () => {
    expect(isOfAnotherManager(before, undefined)).toBe(true)
    expect(isOfAnotherManager({ ...before, isAttempted: true }, undefined)).toBe(false)
  })
})

it('relies on the Lease of a holder that had led for ten minutes', () => {
  expect(lastRenewal({ renewedAt: 5, ledForMs: 600_000 })).toBe(5)
  expect(lastRenewal({ renewedAt: 5, ledForMs: 599_999 })).toBeUndefined()
  expect(lastRenewal({ renewedAt: 5, ledForMs: undefined })).toBeUndefined()
  expect(lastRenewal(undefined)).toBeUndefined()
})

it('relies on it for a cluster whose instances that holder saw, as its condition says', () => {
  for (const reason of ['NoOrphans', 'OrphansSuspected', 'OrphansFound']) expect(seenUntil(5, { reason })).toBe(5)
  expect(seenUntil(5, { reason: 'InstancesUnseen' })).toBeUndefined()
  expect(seenUntil(5, undefined)).toBeUndefined()
  expect(seenUntil(undefined, { reason: 'NoOrphans' })).toBeUndefined()
})

describe('what is done about it', () => {
  const usual = { ended: 0, isShared: false, mode: 'Terminate' } as const
  const some = (n: number) => Array.from({ length: n }, (_, i) => instance(i))

  it.each([
    [1, 3, true],
    [2, 3, true],
    [3, 3, false],
    [5, 100, true],
    [6, 100, false],
  ])('%s of %s: ended is %s', (orphans, instances, ended) => {
    const verdict = judgeSweep({ ...usual, orphans: some(orphans), instances })
    expect(verdict.terminate).toHaveLength(ended ? orphans : 0)
    expect(verdict.report === undefined).toBe(ended)
  })

  it.each([
    [2, 100, 0, 2],
    [2, 100, 4, 1],
    [2, 100, 5, 0],
    [2, 3, 1, 1],
    [1, 3, 2, 0],
  ])('%s of %s after %s in the last hour: %s are ended, and the rest is told', (orphans, instances, ended, now) => {
    const verdict = judgeSweep({ ...usual, orphans: some(orphans), instances, ended })
    expect(verdict.terminate).toHaveLength(now)
    expect(verdict.report === undefined).toBe(now === orphans)
  })

  it('ends none of an owner id that others have too', () => {
    const verdict = judgeSweep({ ...usual, orphans: some(1), instances: 100, isShared: true })
    expect(verdict.terminate).toEqual([])
    expect(verdict.report).toContain('OwnerIdShared')
  })

  it('only tells when asked to', () => {
    const verdict = judgeSweep({ ...usual, orphans: some(1), instances: 100, mode: 'Report' })
    expect(verdict).toEqual({
      terminate: [],
      report:
        '1 of 100 instances belong to no machine: i-0 (m0). The manager terminates none because of --orphans=Report.',
    })
  })
})
