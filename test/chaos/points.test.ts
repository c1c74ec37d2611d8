import { expect, it } from 'vitest'
import { annotations, finalizers, machineLabels, nodeLabels } from '../../api/labels.ts'
import { pointsOf, type WriteBody } from './points.ts'

const points = pointsOf({ createAction: 'make', endAction: 'end', cleanUpAction: 'tidy' })
const machine = '/apis/spot.cluster.x-k8s.io/v1alpha1/namespaces/ns/awsmachines/m1'
const attempt = (text: string): WriteBody => ({ metadata: { annotations: { [annotations.attempt]: text } } })
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
  [machine, attempt('{"token":"t","handle":"i-1"}'), ['handle']],
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
])('a write to %s is known by what is in it', (path, body, names) => {
  const passing = { method: 'PATCH', path, agent: '', body }
  const met = points.filter(({ at }) => 'write' in at && at.write(body, passing)).map(({ name }) => name)
  expect(met).toEqual(names)
})

it('calls to the cloud are points by their names there, and clean-up only where something outlives an instance', () => {
  const calls = (all: typeof points) => all.flatMap(({ at }) => ('call' in at ? [at.call] : []))
  expect(calls(points)).toEqual(['make', 'end', 'tidy'])
  expect(calls(pointsOf({ createAction: 'make', endAction: 'end' }))).toEqual(['make', 'end'])
})
