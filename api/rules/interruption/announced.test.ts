import { describe, expect, it } from 'vitest'
import type { Interruption } from '../../interruption.ts'
import { noticeKinds, type Notice } from '../../notice.ts'
import { beginsInterruption, isAnnounced, noticeResultOf } from './announced.ts'

const decided: Interruption = {
  for: 'ns/m',
  instance: 'i-1',
  kind: 'Spot',
  source: 'SpotRequests',
  at: '2026-11-19T09:00:00Z',
  act: 'Delete',
}
const notice: Notice = { instance: 'i-1', kind: 'Spot', at: 0, source: 'SpotRequests' }

it('the end is announced by what ends an instance for certain', () => {
  expect(noticeKinds.filter((kind) => isAnnounced({ ...decided, kind }))).toEqual(['Spot', 'CapacityEnding'])
  const lifetime = { ...decided, kind: 'Lifetime' } as const
  expect(isAnnounced({ ...lifetime, deadline: '2026-11-19T10:00:00Z' })).toBe(true)
  expect(isAnnounced(undefined)).toBe(false)
})

describe('an interruption begins', () => {
  it('with the first notice of the end', () => {
    expect(beginsInterruption(undefined, decided)).toBe(true)
    expect(beginsInterruption({ ...decided, kind: 'Rebalance', act: 'Tell' }, decided)).toBe(true)
  })

  it('once, however often the decision is raised', () => {
    expect(beginsInterruption({ ...decided, act: 'Cordon' }, decided)).toBe(false)
  })

  it('with no fire drill and no mere risk', () => {
    expect(beginsInterruption(undefined, { ...decided, kind: 'Rehearsal' })).toBe(false)
    expect(beginsInterruption(undefined, { ...decided, kind: 'Rebalance' })).toBe(false)
  })
})

it('says what came of a notice', () => {
  const judged = { notice, instance: 'i-1', hasEnded: false, before: undefined, decided: undefined }
  expect(noticeResultOf({ ...judged, instance: 'i-2', hasEnded: true })).toBe('foreign')
  expect(noticeResultOf({ ...judged, instance: undefined })).toBe('foreign')
  expect(noticeResultOf({ ...judged, hasEnded: true, before: decided })).toBe('ended')
  expect(noticeResultOf({ ...judged, before: decided, decided })).toBe('recorded')
  expect(noticeResultOf({ ...judged, before: decided })).toBe('known')
  expect(noticeResultOf(judged)).toBe('ignored')
})
