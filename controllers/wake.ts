import { spotGroup } from '../api/kinds.ts'
import { annotations } from '../api/labels.ts'
import type { Cluster, ContractRef } from '../api/machine.ts'
import type { KubeObject } from '../api/meta.ts'
import { keyOf } from './runtime/resource.ts'

/** Either side of a change: an object that went is as much a reason to look as one that came. */
interface Sides<T> {
  readonly before?: T
  readonly after?: T
}

/** The object itself. */
export function changed({ before, after }: Sides<KubeObject>): string[] {
  const object = after ?? before
  return object ? [keyOf(object)] : []
}

/** The object of ours, of this kind, to which the changed one refers; references lead to the same namespace. */
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

/** Whether anything of a Cluster changed that we act on; the rest of it changes often and is nothing to us. */
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
