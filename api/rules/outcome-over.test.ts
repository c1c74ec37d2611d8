import { describe, expect, it } from 'vitest'
import { condition, infra, machine, now, outcome, secondsAgo } from '../../test/support/worlds/outcome-facts.ts'
import { rfc3339 } from '../conditions.ts'
import { hasEnded, isOff } from './outcome.ts'
import { termsOf } from './policy.ts'

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

it('is off only when the cloud says so: what is still stopping may still write', () => {
  const ended = [condition('Ready', 'False', 'Interrupted', 1)]
  const inState = (instanceState: string) => infra(ended, { status: { conditions: ended, instanceState } })
  expect(hasEnded(inState('stopping'))).toBe(true)
  expect([isOff(inState('stopping')), isOff(inState('terminating'))]).toEqual([false, false])
  expect([isOff(inState('stopped')), isOff(inState('terminated'))]).toEqual([true, true])
})
