import { expect, test } from 'vitest'
import { isServing, rowOf, type Sight } from './look.ts'

const young: Sight = {
  machine: { metadata: { name: 'm1', namespace: 'default' }, spec: { clusterName: 'demo' } },
  infra: undefined,
  node: undefined,
  event: undefined,
}

const serving: Sight = {
  machine: { ...young.machine, status: { phase: 'Running', nodeRef: { name: 'n1' } } },
  infra: {
    apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
    kind: 'AWSMachine',
    metadata: { name: 'm1', namespace: 'default' },
    spec: { providerID: 'aws:///us-east-1a/i-1' },
    status: { conditions: [condition('True', 'Running')] },
  },
  node: { metadata: { name: 'n1', labels: { 'cluster.x-k8s.io/interruptible': '' } } },
  event: {
    metadata: { name: 'e1' },
    involvedObject: { name: 'm1' },
    message: 'Instance i-1 is running.',
    lastTimestamp: '2026-01-02T03:04:05Z',
  },
}

function condition(status: 'True' | 'False', reason: string) {
  return { type: 'Ready', status, reason, message: '', lastTransitionTime: '2026-01-02T03:04:05Z' }
}

/** The same machine with this condition Ready. */
function ended(reason: string, deletionTimestamp?: string): Sight {
  const { machine, infra } = serving
  const metadata = { ...machine.metadata, ...(deletionTimestamp ? { deletionTimestamp } : {}) }
  const status = { phase: deletionTimestamp ? 'Deleting' : 'Running' }
  return {
    ...serving,
    machine: { ...machine, metadata, status },
    infra: infra && { ...infra, status: { conditions: [condition('False', reason)] } },
  }
}

test('a Machine of which nothing is known yet', () => {
  expect(rowOf(young)).toEqual({ machine: 'm1', state: '', instance: '', node: '', interruptible: '', event: '' })
})

test('a Machine that serves', () => {
  expect(rowOf(serving)).toEqual({
    machine: 'm1',
    state: 'Running',
    instance: 'i-1',
    node: 'n1',
    interruptible: 'yes',
    event: '',
  })
  expect(isServing(serving)).toBe(true)
})

test('of a Machine that does not serve the last event is told', () => {
  expect(rowOf(ended('Interrupted')).event).toMatch(/^\d\d:\d\d:05 Instance i-1 is running\.$/)
})

test('a Node without the label is not called interruptible', () => {
  expect(rowOf({ ...serving, node: { metadata: { name: 'n1' } } }).interruptible).toBe('no')
})

test.each([
  { what: 'whose instance was taken back', sight: ended('Interrupted'), state: 'Interrupted' },
  { what: 'without capacity', sight: ended('InsufficientCapacity'), state: 'InsufficientCapacity' },
  {
    what: 'that is being deleted',
    sight: ended('InstanceTerminated', '2026-01-02T03:05:00Z'),
    state: 'Deleting',
  },
])('a Machine $what says so, and does not serve', ({ sight, state }) => {
  expect(rowOf(sight).state).toBe(state)
  expect(isServing(sight)).toBe(false)
})

test('a Machine whose deletion core has not seen yet does not serve either', () => {
  const metadata = { ...serving.machine.metadata, deletionTimestamp: '2026-01-02T03:05:00Z' }
  expect(isServing({ ...serving, machine: { ...serving.machine, metadata } })).toBe(false)
})
