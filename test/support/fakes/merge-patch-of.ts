import { isDeepStrictEqual } from 'node:util'
import type { KubeObject } from '../../../api/meta.ts'
import { ApiError } from '../../../controllers/runtime/client/api-error.ts'
import type { JsonPatchOperation } from '../../../controllers/runtime/client/client.ts'

type Fields = Record<string, unknown>

/** The merge patch with the same effect. Refuses as the API server does. Lists are replaced as a whole. */
export function mergePatchOf(object: KubeObject, operations: readonly JsonPatchOperation[]): object {
  const patch: Fields = {}
  for (const operation of operations) {
    const path = operation.path.split('/').slice(1).map(unescaped)
    const last = path.pop() ?? ''
    const before = path.reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], object) as Fields | undefined
    const isThere = before !== undefined && last in before
    if (operation.op === 'test') {
      if (!isDeepStrictEqual(before?.[last], operation.value)) throw refused(operation)
      continue
    }
    if (before === undefined || (operation.op !== 'add' && !isThere)) throw refused(operation)
    const place = path.reduce<Fields>((at, name) => (at[name] ??= {}) as Fields, patch)
    place[last] = operation.op === 'remove' ? null : operation.value
  }
  return patch
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

function refused({ op, path }: JsonPatchOperation): ApiError {
  return new ApiError({ status: 422, reason: 'Invalid', message: `The operation ${op} of ${path} cannot be done.` })
}
