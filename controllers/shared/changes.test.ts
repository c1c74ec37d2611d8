import { expect, it } from 'vitest'
import { annotations } from '../../api/labels.ts'
import type { InfraCluster } from '../../api/machine.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import type { Cache, Change } from '../runtime/cache/cache.ts'
import type { Queue } from '../runtime/controller/queue.ts'
import { watchingClusters } from './changes.ts'

const ownerReferences = [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c1', uid: 'u' }]

function infraCluster(resourceVersion: string, noted: Record<string, string>, spec: object = {}): InfraCluster {
  const metadata = { namespace: 'default', name: 'c1', resourceVersion, annotations: noted, ownerReferences }
  return { apiVersion: 'spot.cluster.x-k8s.io/v1alpha1', kind: 'AWSCluster', metadata, spec: { ...spec } }
}

it('what is remembered of failures wakes no machine of the Cluster, and all else of its infrastructure does', () => {
  const added: string[] = []
  let tell: (change: Change<InfraCluster>) => void = () => {}
  const infraClusters: Cache<InfraCluster> = {
    ...new FakeApiserver().cache<InfraCluster>('AWSCluster'),
    onChange: (listener) => {
      tell = listener
      return () => {}
    },
  }
  const clusters = new FakeApiserver().cache<never>('Cluster')
  const queue = { add: (key: string) => added.push(key) } as unknown as Queue
  for (const each of watchingClusters({ clusters, infraClusters }, (key) => [key])) each.begin(queue)
  const before = infraCluster('1', {})
  const remembered = infraCluster('2', { [annotations.backoff]: '{}' })
  tell({ before, after: remembered } as Change<InfraCluster>)
  expect(added).toEqual([])
  tell({ before: remembered, after: infraCluster('3', { [annotations.ownerId]: 'o' }) } as Change<InfraCluster>)
  tell({ before, after: infraCluster('4', {}, { region: 'r' }) } as Change<InfraCluster>)
  tell({ before } as Change<InfraCluster>)
  expect(added).toEqual(['default/c1', 'default/c1', 'default/c1'])
})
