import { describe, expect, it } from 'vitest'
import { condition, machine, now, outcome, secondsAgo } from '../../test/support/worlds/outcome-facts.ts'
import { rfc3339 } from '../conditions.ts'
import { termsOf } from './policy.ts'

it('an infra machine whose request is out is under way', () => {
  expect(outcome([condition('Ready', 'Unknown', 'Launching', 3)])).toMatchObject({ is: 'underWay' })
})

describe('an instance that the cloud is starting', () => {
  const starting = [condition('Ready', 'Unknown', 'InstanceStarting', 3)]

  it('is under way for a quarter of an hour', () => {
    const requestedAt = secondsAgo(899)
    const startDueAt = now + 1_000
    expect(outcome(starting, { requestedAt })).toMatchObject({ is: 'underWay', requestedAt, startDueAt })
  })

  it('has not failed if it ran before: a late read shows it as it was then', () => {
    const ranBefore = [...starting, condition('Provisioned', 'True', 'Running', 800)]
    expect(outcome(ranBefore, { requestedAt: secondsAgo(900) })).toMatchObject({ is: 'unknown' })
  })

  it('for longer has failed', () => {
    const requestedAt = secondsAgo(900)
    const failed = { is: 'failed', group: 'offering', at: now, reason: 'StartTimeout', cameUp: false, requestedAt }
    expect(outcome(starting, { requestedAt })).toEqual(failed)
  })
})

describe('a request to which the cloud gives no usable answer', () => {
  const unanswered = [condition('Ready', 'Unknown', 'CloudUnavailable', 3)]
  const patientS = termsOf().patienceMs / 1000

  it('is under way for as long as anybody waits for it', () => {
    expect(outcome(unanswered, { requestedAt: secondsAgo(patientS - 1) })).toMatchObject({
      is: 'underWay',
      patientUntil: now + 1_000,
    })
  })

  it('for longer has failed, with what its template asks for', () => {
    const requestedAt = secondsAgo(patientS)
    expect(outcome(unanswered, { requestedAt })).toEqual({
      is: 'failed',
      group: 'launch',
      at: now,
      cameUp: false,
      reason: 'LaunchTimeout',
      requestedAt,
    })
  })

  it.each(['Launching', 'CredentialsDenied', 'OwnershipConflict'])(
    'but to a person or to its own turn (%s) is waited for: another machine would have to wait as well',
    (reason) => {
      const waiting = [condition('Ready', 'Unknown', reason, 3)]
      expect(outcome(waiting, { requestedAt: secondsAgo(10 * patientS) })).toMatchObject({ is: 'underWay' })
    },
  )
})

describe('a machine that is held back', () => {
  const held = condition('Ready', 'Unknown', 'CapacityBackoff', 60)
  const born = { ...machine, metadata: { ...machine.metadata, creationTimestamp: rfc3339(secondsAgo(100)) } }
  const patientUntil = secondsAgo(100) + termsOf().maxMs

  it('neither tries nor has failed, also with an attempt that it did not use', () => {
    const launch = { is: 'waiting', groups: ['offering'], at: secondsAgo(50) } as const
    const waiting = { is: 'waiting', groups: ['offering'], since: secondsAgo(50), patientUntil }
    expect(outcome([held], { machine: born, requestedAt: undefined, launch })).toEqual(waiting)
    expect(outcome([held], { machine: born, launch })).toEqual(waiting)
    expect(outcome([], { machine: born, requestedAt: undefined, launch }), 'its status comes later').toEqual(waiting)
  })

  it('waits after a restart for all that its attempt names, and for how long nobody knows', () => {
    const groups = ['offering', 'price']
    expect(outcome([held], { machine: born })).toEqual({ is: 'waiting', groups, since: 0, patientUntil })
  })

  it('with fallback waits for as long as it has to, also with a refused attempt that goes on', () => {
    const forEver = { is: 'waiting', patientUntil: Infinity }
    expect(outcome([held], { machine: born, hasFallback: true })).toMatchObject(forEver)
    const launching = condition('Ready', 'Unknown', 'Launching', 60)
    expect(outcome([launching], { machine: born, hasFallback: true, goesOn: true })).toMatchObject(forEver)
    expect(outcome([launching], { machine: born, hasFallback: true })).toMatchObject({ is: 'underWay' })
  })

  it('tries as soon as it claims its turn, before its attempt shows', () => {
    const launch = { is: 'claimed', groups: ['offering'], at: secondsAgo(5) } as const
    const tries = { is: 'underWay', groups: ['offering'], requestedAt: secondsAgo(5) }
    expect(outcome([held], { machine: born, launch })).toMatchObject(tries)
    expect(outcome([], { machine: born, requestedAt: undefined, launch })).toMatchObject(tries)
    expect(outcome([condition('Ready', 'True', 'Running', 1)], { launch })).toMatchObject({ is: 'serving' })
  })
})
