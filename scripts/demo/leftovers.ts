import { nodes, secrets } from '../../api/kinds.ts'
import { kindsOf } from '../../test/lab/objects.ts'
import { pods } from '../../test/simulators/kit/kubelets/pod.ts'
import type { Stage } from './stage.ts'

const groups = ['spot.cluster.x-k8s.io/v1alpha1', 'cluster.x-k8s.io/v1beta2']

/**
 * The objects that are left: our kinds, those of Cluster API, the Secrets of the examples, the Nodes and all Pods, as
 * `Kind name`. CapacityPools are no objects of the examples, and tell for a week what the clouds had.
 */
export async function leftoversOf({ lab: { client, ctx }, namespace }: Stage): Promise<string[]> {
  const kinds = await Promise.all(groups.map((apiVersion) => kindsOf(apiVersion, client, ctx)))
  const stay = kinds.flat().filter(({ kind }) => kind !== 'CapacityPool')
  const left = [...stay, nodes, secrets, pods].map(async (resource) => {
    const isOfAll = !resource.namespaced || resource === pods
    const { items } = await client.list(resource, isOfAll ? {} : { namespace }, ctx)
    return items.map(({ metadata }) => `${resource.kind} ${metadata.name}`)
  })
  return (await Promise.all(left)).flat()
}
