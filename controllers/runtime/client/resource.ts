import type { ObjectMeta, Resource } from '../../../api/meta.ts'
import { ApiError } from './api-error.ts'

export interface ObjectRef {
  readonly namespace?: string
  readonly name: string
}

/** `namespace/name`, or `name` for what has no namespace: the key of caches and queues. */
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

/** Without a name: the collection, of one namespace or of all. */
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
 * Names come from what users write. The API server decodes %2F before it looks at the path, so a slash in a name would
 * lead to another object, whichever way it is escaped here.
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
