import { describe, expect, it } from 'vitest'
import { condition, groups, infra, machine, now, outcome, secondsAgo } from '../../test/support/worlds/outcome-facts.ts'
import { rfc3339 } from '../conditions.ts'
import { termsOf } from './policy.ts'

describe('a refusal', () => {
  it.each([
    ['InsufficientCapacity', 'offering'],
    ['MaxPriceTooLow', 'price'],
    ['QuotaExceeded', 'quota'],
    ['SubnetFull', 'launch'],
    ['ReservationUnavailable', 'launch'],
    ['InvalidConfiguration', 'launch'],
    ['LaunchFailed', 'launch'],
  ])('%s is one of the %s', (reason, group) => {
    expect(outcome([condition('Ready', 'False', reason, 3)])).toEqual({
      is: 'failed',
      group,
      at: secondsAgo(3),
      cameUp: false,
      reason,
      requestedAt: secondsAgo(2_000),
    })
  })

  it('counts from when it was heard, though its status is younger, as after a move', () => {
    const moved = outcome([condition('Ready', 'False', 'InsufficientCapacity', 10)], { refusedAt: secondsAgo(90) })
    expect(moved).toMatchObject({ is: 'failed', at: secondsAgo(90) })
    const ahead = outcome([condition('Ready', 'False', 'InsufficientCapacity', 10)], { refusedAt: now + 5_000 })
    expect(ahead).toMatchObject({ at: secondsAgo(10) })
  })

  it('before anything was asked for is one of what the template asks for', () => {
    const unasked = {
      requestedAt: undefined,
      groups: { ...groups, offering: undefined, price: undefined, quota: undefined },
    }
    expect(outcome([condition('Ready', 'False', 'InsufficientCapacity', 3)], unasked)).toMatchObject({
      group: 'launch',
    })
  })
})

describe('an instance that runs', () => {
  const running = (agoS: number) => [condition('Ready', 'True', 'Running', agoS)]
  const joined = { machine: { ...machine, status: { nodeRef: { name: 'n' } } } }

  it('with its Node proves all its groups', () => {
    expect(outcome(running(5_000), joined)).toMatchObject({
      is: 'serving',
      groups: ['offering', 'price', 'quota', 'launch', 'node'],
    })
  })

  it('without its Node proves its launch, and has time until 10 minutes after it began to run', () => {
    expect(outcome(running(599))).toMatchObject({
      is: 'serving',
      groups: ['offering', 'price', 'quota', 'launch'],
      awaitsNode: { group: 'node', dueAt: now + 1_000 },
    })
  })

  it('for longer without its Node has failed', () => {
    expect(outcome(running(600))).toMatchObject({ is: 'failed', group: 'node', at: now, reason: 'NodeMissing' })
  })

  it('may be without a Node for ever where the policy says so', () => {
    const terms = termsOf({ nodeStartupSeconds: 0 })
    expect(outcome(running(90_000), { terms })).toMatchObject({
      is: 'serving',
      groups: ['offering', 'price', 'quota', 'launch', 'node'],
    })
  })
})

describe('what was asked for by a clock that is ahead of ours', () => {
  const requestedAt = secondsAgo(-60)

  it('is never after anything: it neither opens a group nor tells what became of a probe', () => {
    expect(outcome([condition('Ready', 'True', 'Running', -70)], { requestedAt })).toMatchObject({
      requestedAt: 0,
      at: now,
    })
    const refused = outcome([condition('Ready', 'False', 'InsufficientCapacity', -70)], { requestedAt })
    expect(refused).toMatchObject({ is: 'failed', group: 'offering', requestedAt: 0, at: now })
  })

  it('changes once a second at most, so that not every look requeues others', () => {
    const at = [1, 999].map((ms) => outcome([condition('Ready', 'False', 'LaunchFailed', -70)], { now: now + ms }))
    expect(at[0]).toEqual(at[1])
  })

  it('is under way since now', () => {
    expect(outcome([], { requestedAt })).toMatchObject({ is: 'underWay', requestedAt: now })
  })

  it('has not served since long ago', () => {
    const served = [condition('Provisioned', 'True', 'Running', 5), condition('Ready', 'False', 'Interrupted', 0)]
    const young = infra(served, { metadata: { namespace: 'default', name: 'm1', creationTimestamp: rfc3339(now) } })
    expect(outcome([], { requestedAt, infra: young })).toMatchObject({ is: 'failed', cameUp: true })
  })
})

it.each([
  ['is not there', { infra: undefined, requestedAt: undefined }],
  ['has asked for nothing', { requestedAt: undefined }],
])('of an infra machine that %s nothing is known, and nobody waits for that for ever', (_, over) => {
  const metadata = { ...machine.metadata, creationTimestamp: rfc3339(secondsAgo(60)) }
  const patientUntil = secondsAgo(60) + termsOf().patienceMs
  expect(outcome([], { ...over, machine: { ...machine, metadata } })).toEqual({ is: 'unknown', patientUntil })
})
