import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../api/ctx.ts'
import type { KubeClient } from './runtime/client.ts'
import type { KubeObject, Resource } from '../api/meta.ts'

/** Writes those fields of the status that differ from what was read, as one patch. Undefined: none did, none was written. */
export async function patchStatus(
  write: { client: KubeClient; resource: Resource; object: KubeObject & { status?: object }; status: object },
  ctx: Ctx,
): Promise<KubeObject | undefined> {
  const { client, resource, object, status } = write
  const before: Record<string, unknown> = { ...object.status }
  const changed = Object.entries(status).filter(([field, value]) => !isDeepStrictEqual(before[field], value))
  if (changed.length === 0) return undefined
  const { name, namespace } = object.metadata
  const patch = { status: Object.fromEntries(changed) }
  const ref = namespace === undefined ? { name } : { namespace, name }
  return client.mergePatch(resource, ref, { patch, subresource: 'status' }, ctx)
}
