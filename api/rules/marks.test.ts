import { describe, expect, it } from 'vitest'
import { rfc3339 } from '../conditions.ts'
import { core, machineLabels } from '../labels.ts'
import type { InfraMachine, Machine } from '../machine.ts'
import type { ObjectMeta } from '../meta.ts'
import { isExamined, marksOf, offeringInWords, type MarkFacts } from './marks.ts'
import type { Failed } from './outcome.ts'

const until = Date.UTC(2026, 0, 1, 14, 32, 10)
const set = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 's', uid: 'u', controller: true }
const failed: Failed = { is: 'failed', lane: 'pool', at: 0, cameUp: false, reason: 'InsufficientCapacity', askedAt: 0 }
const wait = { do: 'wait', until, attempt: 4, failed } as const
const replace = { do: 'replace', why: 'InsufficientCapacity', failed } as const

function machine(more: Partial<ObjectMeta> = {}, nodeRef?: { name: string }): Machine {
  return {
    metadata: { namespace: 'default', name: 'm1', ownerReferences: [set], ...more },
    spec: { clusterName: 'c1' },
    status: nodeRef ? { nodeRef } : {},
  }
}

function marks(over: Partial<MarkFacts> = {}) {
  const offering = offeringInWords('Spot:m5.large:us-east-1a')
  return marksOf({
    machine: machine(),
    infra: undefined,
    outcome: failed,
    decision: wait,
    isWatched: false,
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

it('tells who waits what happens next, and when', () => {
  expect(marks()).toEqual({
    labels: { [machineLabels.remediationDue]: null },
    annotations: { [core.skipRemediation]: null },
    condition: {
      status: 'False',
      reason: 'BackingOff',
      message: 'InsufficientCapacity: m5.large spot in us-east-1a; next try 14:32:10 UTC, attempt 4.',
    },
  })
})

it('marks who is due, and lets go of it', () => {
  const { labels, annotations, condition } = marks({ decision: replace, isWatched: true })
  expect(labels).toEqual({ [machineLabels.remediationDue]: '' })
  expect(annotations).toEqual({ [core.skipRemediation]: null })
  expect(condition).toMatchObject({ status: 'True', reason: 'Due' })
})

describe('where somebody else’s health check selects it', () => {
  const held = (over: Partial<MarkFacts>) => marks({ isWatched: true, ...over }).annotations[core.skipRemediation]
  const starting = { outcome: { is: 'underWay', lanes: [], askedAt: 0 }, decision: { do: 'nothing' } } as const

  it('a Machine is held while it waits and while it comes up', () => {
    expect(held({})).toBe('backing-off')
    expect(held(starting)).toBe('backing-off')
  })

  it('but not once it has a Node, nor where nobody would replace it', () => {
    expect(held({ ...starting, machine: machine({}, { name: 'n' }) })).toBeNull()
    expect(held({ machine: machine({ ownerReferences: [] }), decision: { do: 'nothing' } })).toBeNull()
  })
})

it('a person’s own skip-remediation stays, and is named', () => {
  const skipped = machine({ annotations: { [core.skipRemediation]: '' } })
  const { annotations, condition } = marks({ machine: skipped, decision: { do: 'nothing' } })
  expect(annotations).toEqual({})
  expect(condition).toMatchObject({ status: 'False', reason: 'RemediationSkipped' })
})

it('a Machine of its own is told that nobody replaces it', () => {
  const { condition } = marks({ machine: machine({ ownerReferences: [] }), decision: { do: 'nothing' } })
  expect(condition).toMatchObject({ status: 'False', reason: 'StandAlone' })
})

it('of a machine that serves nothing is said', () => {
  const outcome = { is: 'serving', lanes: [], askedAt: 0, at: 0 } as const
  expect(marks({ outcome, decision: { do: 'nothing' } }).condition).toBeUndefined()
})

it('what has ended is not drained in vain', () => {
  const ready = {
    type: 'Ready',
    status: 'False',
    reason: 'Interrupted',
    message: '',
    lastTransitionTime: rfc3339(0),
  } as const
  const infra = {
    metadata: { namespace: 'd', name: 'm' },
    spec: {},
    status: { conditions: [ready] },
  } as unknown as InfraMachine
  expect(marks({ infra }).annotations).toMatchObject({ [core.excludeNodeDraining]: '', [core.excludeVolumeDetach]: '' })
})

it('an offering without a zone is told without one, and none at all is empty', () => {
  expect(offeringInWords('OnDemand:Standard_D2s_v5:')).toBe('Standard_D2s_v5 on demand')
  expect(offeringInWords(undefined)).toBe('')
})
