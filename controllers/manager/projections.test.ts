import { expect, it } from 'vitest'
import { requests } from '../../api/labels.ts'
import { projectInfraMachine, projectMachine } from './projections.ts'

it('C3: of an object with thousands of labels those of Cluster API alone are kept in memory', () => {
  const huge = Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`x${n}.example.com/${'b'.repeat(60)}`, 'c']))
  const ours = { 'cluster.x-k8s.io/cluster-name': 'c1', 'spot.cluster.x-k8s.io/remediation-due': '' }
  const labelsOf = (labels: Record<string, string>) =>
    projectInfraMachine({ metadata: { name: 'm1', namespace: 'ns', labels } }).metadata.labels
  expect(labelsOf({ ...huge, ...ours })).toEqual(ours)
  expect(labelsOf({ ...ours, 'a/b': 'c' })).toEqual({ ...ours, 'a/b': 'c' })
})

it('who wrote the fields of a Machine is kept for one that is to rehearse, and for no other', () => {
  const managedFields = [{ manager: 'kubectl-annotate' }]
  const keptOf = (annotations: Record<string, string>) =>
    projectMachine({ metadata: { name: 'm1', namespace: 'ns', annotations, managedFields }, spec: {} } as never)
      .metadata
  expect(keptOf({ [requests.rehearse]: '2m' }).managedFields).toEqual(managedFields)
  expect(keptOf({ other: '2m' })).not.toHaveProperty('managedFields')
})
