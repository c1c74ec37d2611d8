import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../../api/ctx.ts'
import type { KubeClient } from '../client/client.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'

/**
 * Writes the changed fields of a status as one patch. Returns undefined if nothing has changed. The patch fails for
 * another object of the same name, which was made after the read.
 */
export async function patchStatus<T extends KubeObject & { status?: object }>(
  write: { client: KubeClient; resource: Resource; object: T; status: object },
  ctx: Ctx,
): Promise<T | undefined> {
  const { client, resource, object, status } = write
  const before: Record<string, unknown> = { ...object.status }
  const changed = Object.entries(status).filter(([field, value]) => !isDeepStrictEqual(before[field], value))
  if (changed.length === 0) return undefined
  const { name, namespace, resourceVersion } = object.metadata
  const patch = { metadata: { resourceVersion }, status: Object.fromEntries(changed) }
  const ref = namespace === undefined ? { name } : { namespace, name }
  return client.mergePatch<T>(resource, ref, { patch, subresource: 'status' }, ctx)
}
