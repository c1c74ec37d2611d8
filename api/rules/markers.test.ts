import { describe, expect, it } from 'vitest'
import { rfc3339 } from '../conditions.ts'
import { core, machineLabels } from '../labels.ts'
import type { InfraMachine, Machine } from '../machine.ts'
import type { ObjectMeta } from '../meta.ts'
import { isExamined, markersOf, type MarkerFacts } from './markers.ts'
import type { Failed } from './outcome.ts'

const until = Date.UTC(2026, 0, 1, 14, 32, 10)
const set = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 's', uid: 'u', controller: true }
const failed: Failed = {
  is: 'failed',
  group: 'offering',
  at: 0,
  cameUp: false,
  reason: 'InsufficientCapacity',
  requestedAt: 0,
}
const wait = { do: 'wait', until, attempt: 4, failed } as const
/** We do not exclude it from draining. */
const drained = { [core.excludeNodeDraining]: null, [core.excludeVolumeDetach]: null }
const replace = { do: 'replace', failed } as const

function machine(more: Partial<ObjectMeta> = {}, nodeRef?: { name: string }): Machine {
  return {
    metadata: { namespace: 'default', name: 'm1', ownerReferences: [set], ...more },
    spec: { clusterName: 'c1' },
    status: nodeRef ? { nodeRef } : {},
  }
}

function marks(over: Partial<MarkerFacts> = {}) {
  const offering = { capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a' } as const
  return markersOf({
    machine: machine(),
    infra: undefined,
    outcome: failed,
    decision: wait,
    isWatched: false,
    isManaged: true,
    now: Date.UTC(2026, 0, 1),
    offering,
    ...over,
  })
}

it.each([
  ['both are so', { InfrastructureReady: 'True', ControlPlaneInitialized: 'True' }, true],
  ['the cloud refuses our credentials', { InfrastructureReady: 'False', ControlPlaneInitialized: 'True' }, false],
  ['its control plane is not known yet', { InfrastructureReady: 'True' }, false],
  ['nothing is known of it, as after a move', {}, false],
] as const)('health checks look at the machines of a Cluster: %s', (_, said, isSo) => {
  const conditions = Object.entries(said).map(([type, status]) => {
    return { type, status, reason: 'X', message: '', lastTransitionTime: rfc3339(until) }
  })
  const spec = { controlPlaneRef: { apiGroup: 'g', kind: 'k', name: 'n' } }
  const cluster = { metadata: { namespace: 'default', name: 'c1' }, spec, status: { conditions } }
  expect(isExamined(cluster)).toBe(isSo)
  expect(isExamined({ ...cluster, spec: {} }), 'and nobody looks at those without one').toBe(true)
})

it('a waiting Machine shows what happens next, and when', () => {
  expect(marks()).toEqual({
    labels: { [machineLabels.remediationDue]: null },
    annotations: { [core.skipRemediation]: null, ...drained },
    condition: {
      status: 'False',
      reason: 'BackingOff',
      message: 'InsufficientCapacity: m5.large spot in us-east-1a; next try 14:32:10 UTC, attempt 4.',
    },
  })
})

it.each([
  [
    'another Machine tries the same',
    { triedSince: until },
    'another Machine has been retrying since 14:32:10 UTC, attempt 4.',
  ],
  [
    'one has got through',
    { openSince: until },
    'a retry succeeded at 14:32:10 UTC, and the others follow step by step.',
  ],
  ['it is for more than today', { until: until + 86_400_000 }, 'next try 2026-01-02 14:32:10 UTC, attempt 4.'],
] as const)('who waits while %s is told so', (_, wait, said) => {
  const decision = { do: 'wait', attempt: 4, failed, ...wait } as const
  expect(marks({ decision }).condition?.message).toBe(`InsufficientCapacity: m5.large spot in us-east-1a; ${said}`)
})

it('a Machine that our health check does not remove is marked otherwise', () => {
  expect(marks({ decision: replace, isManaged: false }).labels).toEqual({ [machineLabels.remediationDue]: 'unmanaged' })
})

it('marks a due Machine, and no longer holds it', () => {
  const { labels, annotations, condition } = marks({ decision: replace, isWatched: true })
  expect(labels).toEqual({ [machineLabels.remediationDue]: '' })
  expect(annotations).toEqual({ [core.skipRemediation]: null, ...drained })
  expect(condition).toMatchObject({ status: 'True', reason: 'Due' })
})

describe('where somebody else’s health check selects it', () => {
  const held = (over: Partial<MarkerFacts>) => marks({ isWatched: true, ...over }).annotations[core.skipRemediation]
  const outcome = { is: 'underWay', groups: [], requestedAt: 0, patientUntil: until } as const
  const starting = { outcome, decision: { do: 'nothing' } } as const

  it('a Machine is held while it waits and while it comes up', () => {
    expect(held({})).toBe('backing-off')
    expect(held(starting)).toBe('backing-off')
  })

  it('but not for ever: what nothing comes of is for others to judge', () => {
    expect(held({ ...starting, now: until - 1 })).toBe('backing-off')
    expect(held({ ...starting, now: until })).toBeNull()
    expect(held({ ...starting, outcome: { is: 'unknown', patientUntil: until }, now: until })).toBeNull()
    const waiting = { is: 'waiting', groups: [], since: 0, patientUntil: until } as const
    expect(held({ ...starting, outcome: waiting, now: until - 1 }), 'it waits for its turn').toBe('backing-off')
    expect(held({ ...starting, outcome: waiting, now: until }), 'and no longer').toBeNull()
  })

  it('but not once it has a Node, nor if nothing would replace it', () => {
    expect(held({ ...starting, machine: machine({}, { name: 'n' }) })).toBeNull()
    expect(held({ machine: machine({ ownerReferences: [] }), decision: { do: 'nothing' } })).toBeNull()
  })
})

it('a person’s own skip-remediation stays, and is named', () => {
  const skipped = machine({ annotations: { [core.skipRemediation]: '' } })
  const { annotations, condition } = marks({ machine: skipped, decision: { do: 'nothing' } })
  expect(annotations).toEqual(drained)
  expect(condition).toMatchObject({ status: 'False', reason: 'RemediationSkipped' })
})

it('a Machine without an owner shows that nothing replaces it', () => {
  const { condition } = marks({ machine: machine({ ownerReferences: [] }), decision: { do: 'nothing' } })
  expect(condition).toMatchObject({ status: 'False', reason: 'StandAlone' })
})

it('of a machine that serves nothing is said', () => {
  const outcome = { is: 'serving', groups: [], requestedAt: 0, at: 0 } as const
  expect(marks({ outcome, decision: { do: 'nothing' } }).condition).toBeUndefined()
})

describe('what excludes from being drained', () => {
  const notDrained = {
    [core.excludeNodeDraining]: 'spot-instance-ended',
    [core.excludeVolumeDetach]: 'spot-instance-ended',
  }
  const infra = (reason: string, status: 'True' | 'False'): InfraMachine => {
    const ready = { type: 'Ready', status, reason, message: '', lastTransitionTime: rfc3339(0) }
    const metadata = { namespace: 'd', name: 'm' }
    return { apiVersion: 'a', kind: 'AWSMachine', metadata, spec: {}, status: { conditions: [ready] } }
  }

  it('is put on what has ended, for that would be drained in vain', () => {
    expect(marks({ infra: infra('Interrupted', 'False') }).annotations).toMatchObject(notDrained)
  })

  it('is taken back from what runs after all', () => {
    const again = { infra: infra('Running', 'True'), machine: machine({ annotations: notDrained }) }
    expect(marks(again).annotations).toMatchObject(drained)
  })

  it('stays if somebody else has set it', () => {
    const theirs = machine({ annotations: { [core.excludeNodeDraining]: '' } })
    for (const one of [infra('Running', 'True'), infra('Interrupted', 'False')]) {
      expect(marks({ infra: one, machine: theirs }).annotations).not.toHaveProperty([core.excludeNodeDraining])
    }
  })
})
