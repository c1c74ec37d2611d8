import { describe, expect, it } from 'vitest'
import type { Condition } from '../conditions.ts'
import { rfc3339 } from '../conditions.ts'
import type { InfraMachine, Machine } from '../machine.ts'
import { hasEnded, isOff, outcomeOf, type OutcomeFacts } from './outcome.ts'
import { termsOf } from './policy.ts'

const now = Date.UTC(2026, 0, 1, 12)
const secondsAgo = (s: number) => now - s * 1000
const groups = { offering: 'offering', price: 'price', quota: 'quota', launch: 'launch', node: 'node' }
const machine: Machine = { metadata: { namespace: 'default', name: 'm1' }, spec: { clusterName: 'c1' } }

function condition(type: string, status: Condition['status'], reason: string, agoS: number): Condition {
  return { type, status, reason, message: '', lastTransitionTime: rfc3339(secondsAgo(agoS)) }
}

function infra(conditions: Condition[], more: Partial<InfraMachine> = {}): InfraMachine {
  const metadata = { namespace: 'default', name: 'm1' }
  return { apiVersion: 'a', kind: 'AWSMachine', metadata, spec: {}, status: { conditions }, ...more }
}

function outcome(conditions: Condition[], over: Partial<OutcomeFacts> = {}) {
  const requestedAt = secondsAgo(2_000)
  return outcomeOf({
    machine,
    infra: infra(conditions),
    groups,
    requestedAt,
    terms: termsOf(),
    now,
    ...over,
  })
}

describe('an instance that ended', () => {
  const provisioned = condition('Provisioned', 'True', 'Running', 1_000)

  it.each(['Interrupted', 'InstanceStopped', 'InstanceTerminated', 'InstanceGone'])(
    '%s, after it served: it is over',
    (reason) => {
      expect(outcome([provisioned, condition('Ready', 'False', reason, 400)])).toEqual({ is: 'over', reason })
    },
  )

  it('too soon: a failure of its offering', () => {
    expect(outcome([provisioned, condition('Ready', 'False', 'Interrupted', 401)])).toMatchObject({
      is: 'failed',
      group: 'offering',
      at: secondsAgo(401),
      cameUp: true,
    })
  })

  it('before it ran: a failure that nothing came up with', () => {
    expect(outcome([condition('Ready', 'False', 'InstanceGone', 5)])).toMatchObject({ is: 'failed', cameUp: false })
  })

  it.each(['InstanceStopped', 'InstanceTerminated', 'InstanceGone'])(
    '%s, not taken by the cloud: a failure of its own template, and nobody else waits for it',
    (reason) => {
      const early = condition('Ready', 'False', reason, 401)
      expect(outcome([provisioned, early])).toMatchObject({ is: 'failed', group: 'launch', cameUp: true })
      expect(outcome([early])).toMatchObject({ is: 'failed', group: 'launch', cameUp: false })
    },
  )

  it('soon after it was moved here: how long it served only its attempt tells', () => {
    const moved = (madeAgo: number) => {
      const metadata = { namespace: 'default', name: 'm1', creationTimestamp: rfc3339(secondsAgo(madeAgo)) }
      const conditions = [condition('Provisioned', 'True', 'Running', 9), condition('Ready', 'False', 'Interrupted', 3)]
      return infra(conditions, { metadata })
    }
    const requestedAt = secondsAgo(603)
    expect(outcome([], { infra: moved(10), requestedAt })).toEqual({ is: 'over', reason: 'Interrupted' })
    expect(outcome([], { infra: moved(10), requestedAt: secondsAgo(602) })).toMatchObject({
      is: 'failed',
      cameUp: true,
    })
    expect(outcome([], { infra: moved(604), requestedAt })).toMatchObject({ is: 'failed', cameUp: true })
  })

  it('soon, without a minimum: it is over', () => {
    const terms = termsOf({ minHealthySeconds: 0 })
    const ended = [provisioned, condition('Ready', 'False', 'Interrupted', 999)]
    expect(outcome(ended, { terms })).toEqual({ is: 'over', reason: 'Interrupted' })
  })
})

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

describe('an infra machine that somebody deletes', () => {
  const deletionTimestamp = rfc3339(now)
  const leaving = infra([condition('Ready', 'True', 'Running', 9)], {
    metadata: { namespace: 'd', name: 'm', deletionTimestamp },
  })

  it('leaves a Machine behind that is over, while it goes and when it is gone', () => {
    const over = { is: 'over', reason: 'InfrastructureDeleted' }
    expect(outcome([], { infra: leaving })).toEqual(over)
    expect(outcome([], { infra: undefined, requestedAt: undefined, isInfraMissing: true })).toEqual(over)
  })

  it('after its Machine was deleted goes as it should', () => {
    const deleted = { ...machine, metadata: { ...machine.metadata, deletionTimestamp } }
    expect(outcome([], { infra: leaving, machine: deleted })).toMatchObject({ is: 'unknown' })
  })
})

describe('an instance whose notice counts as a failure', () => {
  const running = condition('Ready', 'True', 'Running', 100)
  const provisioned = condition('Provisioned', 'True', 'Running', 100)
  const noticedAt = secondsAgo(40)

  it('has failed in the group of its offering, though it runs', () => {
    expect(outcome([running, provisioned], { noticedAt })).toMatchObject({
      is: 'failed',
      group: 'offering',
      at: noticedAt,
      cameUp: true,
      reason: 'InterruptionNotice',
    })
  })

  it('is the same failure when it has ended: a pause is counted once', () => {
    const ended = condition('Ready', 'False', 'Interrupted', 5)
    expect(outcome([ended, provisioned], { noticedAt })).toEqual(outcome([running, provisioned], { noticedAt }))
  })

  it('is over if it ran for long, so that it is replaced at once', () => {
    const longAgo = condition('Provisioned', 'True', 'Running', 1_000)
    expect(outcome([running, longAgo], { noticedAt })).toEqual({ is: 'over', reason: 'InterruptionNotice' })
  })
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

it('an infra machine whose request is out is under way', () => {
  expect(outcome([condition('Ready', 'Unknown', 'Launching', 3)])).toMatchObject({ is: 'underWay' })
})

it('is off only when the cloud says so: what is still stopping may still write', () => {
  const ended = [condition('Ready', 'False', 'Interrupted', 1)]
  const inState = (instanceState: string) => infra(ended, { status: { conditions: ended, instanceState } })
  expect(hasEnded(inState('stopping'))).toBe(true)
  expect([isOff(inState('stopping')), isOff(inState('terminating'))]).toEqual([false, false])
  expect([isOff(inState('stopped')), isOff(inState('terminated'))]).toEqual([true, true])
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
