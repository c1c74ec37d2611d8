import type { ObjectMeta, Resource } from '../../../api/meta.ts'
import { ApiError } from './api-error.ts'

export interface ObjectRef {
  readonly namespace?: string
  readonly name: string
}

/** The key of caches and queues: `namespace/name`, or `name` for an object without a namespace. */
export function keyOf(object: { readonly metadata: ObjectMeta }): string {
  const { namespace, name } = object.metadata
  return namespace ? `${namespace}/${name}` : name
}

export function parseKey(key: string): ObjectRef {
  const slash = key.indexOf('/')
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}

export function apiVersionOf({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group ? `${group}/${version}` : version
}

export interface PathParts {
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: string | undefined
}

/** Without a name it is the path of the collection, in one namespace or in all. */
export function pathOf(resource: Resource, { namespace, name, subresource }: PathParts): string {
  const { group, version, plural, kind, namespaced } = resource
  const root = group ? `/apis/${group}/${version}` : `/api/${version}`
  if (namespaced && name !== undefined && !namespace) {
    throw new ApiError({
      status: 400,
      reason: 'BadRequest',
      message: `A ${kind} lives in a namespace, but none was given; say which namespace it is in.`,
    })
  }
  const parts = [root]
  if (namespaced && namespace) parts.push('namespaces', segment(namespace, 'namespace'))
  parts.push(plural)
  if (name !== undefined) parts.push(segment(name, 'name'))
  if (subresource) parts.push(segment(subresource, 'subresource'))
  return parts.join('/')
}

/**
 * Users write names. The API server decodes %2F before it reads the path, so a slash in a name would lead to another
 * object, however it is escaped here.
 */
function segment(text: string, what: string): string {
  if (text === '' || text === '.' || text === '..' || /[/%]/.test(text)) {
    throw new ApiError({
      status: 400,
      reason: 'BadRequest',
      message: `The ${what} ${JSON.stringify(text.slice(0, 100))} is not one that Kubernetes allows; correct it where it was written.`,
    })
  }
  return encodeURIComponent(text)
}
