import { expect, it } from 'vitest'
import { annotations, core, finalizers, interrupted, machineLabels, nodeLabels } from '../../api/labels.ts'
import type { WriteBody } from './point.ts'
import { pointsOf } from './points.ts'
import type { Passing } from './tollgate.ts'

const control = { requests: () => [] }
const points = pointsOf({ createAction: 'make', endAction: 'end', cleanUpAction: 'tidy', control })
const machine = '/apis/spot.cluster.x-k8s.io/v1alpha1/namespaces/ns/awsmachines/m1'
const attempt = (text: string): WriteBody => ({ metadata: { annotations: { [annotations.attempt]: text } } })
const noted = (annotated: Record<string, string | null>): WriteBody => ({ metadata: { annotations: annotated } })
const ofCore = '/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machines/m1'
const metBy = (body: WriteBody, passing: Passing) =>
  points.filter(({ at }) => 'write' in at && at.write(body, passing)).map(({ name }) => name)
const ready = (reason: string): WriteBody => ({ status: { conditions: [{ type: 'Ready', reason }] } })

it.each<[path: string, body: WriteBody, names: string[]]>([
  [
    '/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/clusters/c1',
    { metadata: { annotations: { [annotations.ownerId]: 'o' } } },
    ['owner id'],
  ],
  [machine, { metadata: { finalizers: [finalizers.machine] } }, ['finalizer']],
  [machine, { metadata: { finalizers: [] } }, ['finalizer removal']],
  [machine, attempt('{"token":"t"}'), ['attempt']],
  [machine, attempt('{"token":"u","n":2}'), ['attempt', 'next attempt']],
  [machine, attempt('{"token":"u","n":2,"refused":{}}'), ['attempt']],
  [machine, attempt('{"token":"t","handle":"i-1"}'), ['handle']],
  [machine, attempt('{"token":"u","n":2,"handle":"i-1"}'), ['handle']],
  [machine, { ...attempt('{"token":"t","handle":"i-1"}'), spec: { providerID: 'p' } }, ['handle', 'providerID']],
  [`${machine}/status`, { status: { initialization: { provisioned: true } } }, ['status']],
  [`${machine}/status`, ready('Interrupted'), ['condition']],
  [`${machine}/status`, ready('Running'), []],
  [
    '/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machines/m1',
    { metadata: { labels: { [machineLabels.remediationDue]: '' } } },
    ['Machine label'],
  ],
  [
    '/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machines/m1',
    { metadata: { labels: { [machineLabels.remediationDue]: null } } },
    [],
  ],
  ['/api/v1/nodes/n1?force=true', { metadata: { labels: { [nodeLabels.pool]: 'p' } } }, ['label']],
  ['/api/v1/nodes/n1', { metadata: { labels: { other: 'p' } } }, []],
  ['/api/v1/nodes/n1', { spec: { taints: [{ key: 'other' }, { key: interrupted.key }] } }, ['taint']],
  ['/api/v1/nodes/n1', { spec: { taints: [{ key: 'other' }] } }, []],
  [ofCore, noted({ [annotations.interruption]: '{}' }), ['record']],
  [ofCore, noted({ [annotations.interruption]: '{}', [core.preDrainHook]: 'us' }), ['hook']],
  [ofCore, noted({ [annotations.interruption]: null }), []],
  [ofCore, noted({ [core.preDrainHook]: null }), ['unhook']],
  [ofCore, [{ op: 'replace', path: '/metadata/ownerReferences', value: [] }] as WriteBody, ['detach']],
  [machine, [{ op: 'replace', path: '/metadata/ownerReferences', value: [] }] as WriteBody, []],
])('a write to %s is known by what is in it', (path, body, names) => {
  const passing = { method: 'PATCH', path, agent: '', body }
  expect(metBy(body, passing)).toEqual(names)
})

it.each([
  [ofCore, ['delete']],
  ['/api/v1/namespaces/ns/pods/p1', ['last call']],
  ['/api/v1/nodes/n1', []],
  [machine, []],
])('a deletion of %s is known by its path', (path, names) => {
  expect(metBy({}, { method: 'DELETE', path, agent: '', body: undefined })).toEqual(names)
})

it('calls to the cloud are points by their names there; clean-up and acknowledgement only where there are such', () => {
  const calls = (all: typeof points) => all.flatMap(({ at }) => ('call' in at ? [at.call] : []))
  expect(calls(points)).toEqual(['make', 'make', 'end', 'tidy', 'tidy'])
  expect(calls(pointsOf({ createAction: 'make', endAction: 'end', control }))).toEqual(['make', 'make', 'end'])
  const queue = { add: () => '', acknowledge: { call: 'ack', isMeant: () => true } }
  expect(calls(pointsOf({ createAction: 'make', endAction: 'end', queue, control }))).toEqual([
    'make',
    'make',
    'ack',
    'end',
  ])
})

it('a second create is of a machine that has asked with another token before', () => {
  const call = (number: number, machine: string, token: string, action = 'make') => ({
    number,
    action,
    at: 0,
    origin: '',
    answer: undefined,
    lost: false,
    params: {
      ClientToken: token,
      'TagSpecification.1.Tag.1.Key': 'spot.cluster.x-k8s.io/machine',
      'TagSpecification.1.Tag.1.Value': machine,
    },
  })
  const journal = [call(1, 'ns/a', 't1'), call(2, 'ns/b', 't2'), call(3, 'ns/a', 't1'), call(4, 'ns/a', 't3')]
  const all = pointsOf({ createAction: 'make', endAction: 'end', control: { requests: () => journal } })
  const [meant] = all.flatMap(({ name, at }) => (name === 'second create' && 'call' in at ? [at.isMeant] : []))
  expect(journal.map((request) => meant?.(request))).toEqual([false, false, false, true])
})
