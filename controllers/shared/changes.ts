import { isDeepStrictEqual } from 'node:util'
import { spotGroup } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import { ownerNamed, type Cluster, type ContractRef, type InfraCluster } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { watching, type Watching } from '../runtime/cache/watching.ts'

/** An object before and after a change. A deleted object is as much a reason to reconcile as a new one. */
export interface Sides<T> {
  readonly before?: T
  readonly after?: T
}

/** The key of the changed object. */
export function changed({ before, after }: Sides<KubeObject>): string[] {
  const object = after ?? before
  return object ? [keyOf(object)] : []
}

/** The key of the object of this kind to which the changed one refers. References stay in one namespace. */
export function referredTo<T extends KubeObject>(
  { before, after }: Sides<T>,
  ref: (object: T) => ContractRef | undefined,
  kind: string,
): string[] {
  const object = after ?? before
  const target = object && ref(object)
  if (!object || target?.apiGroup !== spotGroup || target.kind !== kind) return []
  return [`${object.metadata.namespace}/${target.name}`]
}

/** For objects of a Cluster: all of them are reconciled when the Cluster or its infrastructure cluster changes. */
export function watchingClusters(
  { clusters, infraClusters }: { clusters: Cache<Cluster>; infraClusters: Cache<InfraCluster> },
  allOf: (clusterKey: string) => string[],
): Watching[] {
  return [
    watching(clusters, (change) => (mattersToUs(change) ? changed(change).flatMap(allOf) : [])),
    watching(infraClusters, (change) => {
      if (isOnlyBackoff(change)) return []
      const object = change.after ?? change.before
      const owner = object && ownerNamed(object, 'Cluster')
      return object && owner !== undefined ? allOf(`${object.metadata.namespace}/${owner}`) : []
    }),
  ]
}

/** The backoff annotation is written often, and no machine of the Cluster acts on it. */
function isOnlyBackoff({ before, after }: Sides<InfraCluster>): boolean {
  if (!before || !after) return false
  return isDeepStrictEqual(withoutBackoff(before), withoutBackoff(after))
}

function withoutBackoff({ metadata, ...object }: InfraCluster): object {
  const { resourceVersion: _, annotations: { [annotations.backoff]: __, ...noted } = {}, ...kept } = metadata
  return { ...object, metadata: { ...kept, annotations: noted } }
}

/** Whether a field of the Cluster that we act on has changed. Others change often and do not matter. */
export function mattersToUs({ before, after }: Sides<Cluster>): boolean {
  return JSON.stringify(actedOn(before)) !== JSON.stringify(actedOn(after))
}

function actedOn(cluster: Cluster | undefined): unknown {
  const { spec, status, metadata } = cluster ?? {}
  return [
    spec?.paused,
    spec?.infrastructureRef,
    spec?.controlPlaneRef,
    status?.initialization?.infrastructureProvisioned,
    status?.conditions?.map((condition) => [condition.type, condition.status]),
    metadata?.annotations?.[annotations.ownerId],
    metadata?.deletionTimestamp,
  ]
}
