import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decided } from '../../../test/support/decided.ts'
import type { Interruption } from '../../interruption.ts'
import { core } from '../../labels.ts'
import type { Machine, Pod } from '../../machine.ts'
import { firstLookAt, lastCall, lastCallDeadline } from './last-call.ts'

const deadline = Date.UTC(2026, 0, 1, 12, 2)
const seconds = (s: number) => s * 1000

function pod(name: string, over: { metadata?: object; grace?: number; phase?: string } = {}): Pod {
  const { metadata = {}, grace, phase = 'Running' } = over
  return {
    metadata: { namespace: 'default', name, ...metadata },
    spec: grace === undefined ? {} : { terminationGracePeriodSeconds: grace },
    status: { phase },
  }
}

const dueAt = (now: number, ...pods: Pod[]) =>
  lastCall(pods, { deadline, now }).due.map(({ metadata }) => metadata.name)

describe('a Pod that is still there', () => {
  it('is deleted when ten seconds and its whole grace period are left, and no sooner', () => {
    const held = pod('p', { grace: 60 })
    expect(lastCall([held], { deadline, now: deadline - seconds(71) })).toEqual({
      due: [],
      nextAt: deadline - seconds(70),
    })
    expect(lastCall([held], { deadline, now: deadline - seconds(70) })).toEqual({ due: [held], nextAt: undefined })
  })

  it('without a grace period has the thirty seconds of Kubernetes', () => {
    expect(dueAt(deadline - seconds(41), pod('p'))).toEqual([])
    expect(dueAt(deadline - seconds(40), pod('p'))).toEqual(['p'])
  })

  it('with a longer grace period than there is time is told at once', () => {
    expect(dueAt(deadline - seconds(120), pod('p', { grace: 3_600 }))).toEqual(['p'])
  })

  const left: Record<string, Pod> = {
    'of a DaemonSet': pod('p', {
      metadata: {
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'd', controller: true }],
      },
    }),
    'of the kubelet': pod('p', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }),
    'that a user excludes from drains': pod('p', { metadata: { labels: { [core.drain]: 'skip' } } }),
    'that ends already': pod('p', { metadata: { deletionTimestamp: '2026-01-01T12:00:00Z' } }),
    'that has succeeded': pod('p', { phase: 'Succeeded' }),
    'that has failed': pod('p', { phase: 'Failed' }),
  }
  it.each(Object.entries(left))('%s is left alone', (_, one) => {
    expect(lastCall([one], { deadline, now: deadline })).toEqual({ due: [], nextAt: undefined })
  })

  it('of whatever grace period: no Pod is deleted with more time left than it needs', () => {
    fc.assert(
      fc.property(fc.nat(600), fc.nat(600), (grace, left) => {
        const { due, nextAt } = lastCall([pod('p', { grace })], { deadline, now: deadline - seconds(left) })
        expect(due.length === 1).toBe(left <= grace + 10)
        expect(nextAt).toBe(due.length === 1 ? undefined : deadline - seconds(grace + 10))
      }),
    )
  })
})

describe('the last call', () => {
  const machine = (annotations: Record<string, string> = {}, isDeleting = true): Machine => ({
    metadata: {
      namespace: 'default',
      name: 'm1',
      annotations,
      ...(isDeleting ? { deletionTimestamp: '2026-01-01T12:00:01Z' } : {}),
    },
    spec: { clusterName: 'c1' },
  })

  it('comes for a Machine that drains', () => {
    expect(lastCallDeadline(machine(), decided)).toBe(deadline)
  })

  it('comes for one that the backoff removed because of its notice', () => {
    expect(lastCallDeadline(machine(), { ...decided, act: 'Remediate' })).toBe(deadline)
  })

  it('does not come for a Machine that lives, waits for its replacement, or is excluded from draining', () => {
    expect(lastCallDeadline(machine({}, false), decided)).toBeUndefined()
    expect(lastCallDeadline(machine({ [core.preDrainHook]: '' }), decided)).toBeUndefined()
    expect(lastCallDeadline(machine({ [core.excludeNodeDraining]: '' }), decided)).toBeUndefined()
  })

  const without: Record<string, Partial<Interruption>> = {
    'heldPods: Keep': { heldPods: 'Keep' },
    'no heldPods': { heldPods: undefined },
    'no deadline': { deadline: undefined },
    'act Tell': { act: 'Tell' },
    'act Cordon': { act: 'Cordon' },
  }
  it.each(Object.entries(without))('does not come with %s', (_, change) => {
    expect(lastCallDeadline(machine(), { ...decided, ...change })).toBeUndefined()
  })

  it('looks at the Pods first when core has had time to evict: ten seconds, or a twelfth of a short notice', () => {
    const deletedAt = Date.parse('2026-01-01T12:00:01Z')
    expect(firstLookAt(machine(), deletedAt + seconds(120))).toBe(deletedAt + seconds(10))
    expect(firstLookAt(machine(), deletedAt + seconds(30))).toBe(deletedAt + seconds(2.5))
    expect(firstLookAt(machine(), deletedAt - seconds(1))).toBe(deletedAt)
  })

  it('does not come without a notice', () => {
    expect(lastCallDeadline(machine(), undefined)).toBeUndefined()
  })
})
