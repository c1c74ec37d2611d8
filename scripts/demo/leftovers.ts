import { nodes, secrets } from '../../api/kinds.ts'
import { kindsOf } from '../../test/lab/objects.ts'
import type { Stage } from './stage.ts'

const groups = ['spot.cluster.x-k8s.io/v1alpha1', 'cluster.x-k8s.io/v1beta2']

/**
 * The objects that are left: our kinds, those of Cluster API, the Secrets of the examples and the Nodes, as `Kind
 * name`.
 */
export async function leftoversOf({ lab: { client, ctx }, namespace }: Stage): Promise<string[]> {
  const kinds = await Promise.all(groups.map((apiVersion) => kindsOf(apiVersion, client, ctx)))
  const left = [...kinds.flat(), nodes, secrets].map(async (resource) => {
    const { items } = await client.list(resource, resource.namespaced ? { namespace } : {}, ctx)
    return items.map(({ metadata }) => `${resource.kind} ${metadata.name}`)
  })
  return (await Promise.all(left)).flat()
}
