import { describe, expect, test } from 'vitest'
import { dutyOf } from './pod-duty.ts'
import { endsAfter, type Pod } from './pod.ts'

type Phase = NonNullable<NonNullable<Pod['status']>['phase']>

interface Wished {
  readonly phase?: Phase
  /** The grace period of its deletion, in seconds. Left out: it is not deleted. */
  readonly grace?: number
  readonly annotations?: Record<string, string>
}

function pod({ phase, grace, annotations = {} }: Wished): Pod {
  const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: grace }
  return {
    metadata: { name: 'p', annotations, ...(grace === undefined ? {} : deleted) },
    spec: { nodeName: 'n', containers: [] },
    ...(phase ? { status: { phase } } : {}),
  }
}

const mirror = { 'kubernetes.io/config.mirror': 'a file' }
const every: readonly Phase[] = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']

describe('a Pod that nobody has deleted', () => {
  test('is run when it is bound, whether or not it has a status', () => {
    expect([dutyOf(pod({})), dutyOf(pod({ phase: 'Pending' }))]).toEqual(['run', 'run'])
  })

  test('needs nothing while it runs and when it is over', () => {
    const phases = every.filter((phase) => phase !== 'Pending')
    expect(phases.map((phase) => dutyOf(pod({ phase })))).toEqual(phases.map(() => 'none'))
  })

  test.each(['3', 'soon', '-1s', ''])('is not run when it is to end after "%s"', (text) => {
    expect(dutyOf(pod({ annotations: { [endsAfter]: text } }))).toBe('refuse')
  })
})

describe('a Pod that is deleted while it runs', () => {
  const running = (grace: number, ends?: string) =>
    dutyOf(pod({ phase: 'Running', grace, ...(ends === undefined ? {} : { annotations: { [endsAfter]: ends } }) }))

  test('ends when its containers do', () => {
    expect(running(20, '3s')).toEqual({ withinMs: 3_000, killed: false })
    expect(running(3, '3s')).toEqual({ withinMs: 3_000, killed: false })
    expect(running(20, '0')).toEqual({ withinMs: 0, killed: false })
  })

  test('is killed at the end of its grace when they take longer, or ignore SIGTERM', () => {
    expect(running(2, '3s')).toEqual({ withinMs: 2_000, killed: true })
    expect(running(20)).toEqual({ withinMs: 20_000, killed: true })
  })

  test('is killed at the end of its grace when its annotation became none meanwhile', () => {
    expect(running(2, 'soon')).toEqual({ withinMs: 2_000, killed: true })
  })
})

describe('a deleted Pod goes at once', () => {
  test('when no container of it runs: not yet, or not any more', () => {
    const phases = ['Pending', 'Succeeded', 'Failed'] as const
    expect(phases.map((phase) => dutyOf(pod({ phase, grace: 30 })))).toEqual(['remove', 'remove', 'remove'])
  })

  test('when it is the copy of a static Pod, in every phase', () => {
    const duties = every.map((phase) => dutyOf(pod({ phase, grace: 30, annotations: mirror })))
    expect(duties).toEqual(every.map(() => 'remove'))
  })
})
