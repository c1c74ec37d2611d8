import { nodes, secrets } from '../../api/kinds.ts'
import type { Resource } from '../../api/meta.ts'
import { isNotFound } from '../../controllers/runtime/api-error.ts'
import { resourcesOf } from '../../test/lab/objects.ts'
import type { Stage } from './stage.ts'

const groups = ['spot.cluster.x-k8s.io/v1alpha1', 'cluster.x-k8s.io/v1beta2']

/**
 * Deletes what of the examples is still there when their Cluster is gone, as `kubectl delete -f` would. In a whole
 * cluster the garbage collector does a part of it; this one has none.
 */
export async function deleteExamples({ lab: { client, ctx, resourceOf }, applied }: Stage): Promise<void> {
  for (const object of applied) {
    const { name, namespace = '' } = object.metadata
    await client.delete(await resourceOf(object), { name, namespace }, {}, ctx).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
  }
}

/** All that is left of ours, Cluster API's and the examples' objects, as `Kind name`. Events go by themselves. */
export async function leftoversOf({ lab: { client, ctx }, cluster: { namespace } }: Stage): Promise<string[]> {
  const ours = await Promise.all(groups.map((apiVersion) => resourcesOf(apiVersion, client, ctx)))
  const left = [...ours.flat(), nodes, secrets].map(async (resource: Resource) => {
    const { items } = await client.list(resource, resource.namespaced ? { namespace } : {}, ctx)
    return items.map(({ metadata }) => `${resource.kind} ${metadata.name}`)
  })
  return (await Promise.all(left)).flat()
}
