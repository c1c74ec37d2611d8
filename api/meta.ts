/** The parts of every Kubernetes object that we read or write. */
export interface ObjectMeta {
  name: string
  namespace?: string
  generateName?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
  creationTimestamp?: string
  deletionTimestamp?: string
  managedFields?: unknown[]
}

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface KubeObject {
  apiVersion?: string
  kind?: string
  metadata: ObjectMeta
}

/** The parts of a request path. */
export interface Resource {
  /** '' is the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
}

export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}

/**
 * Parses the annotation of an object once. A storm leads to a hundred passes over all Machines of a Cluster, and most
 * of these have not changed. What `parse` returns is shared, so nobody may change it.
 */
export function parseOnce<T>(parse: (text: string) => T): (object: object, text: string) => T {
  const known = new WeakMap<object, { readonly text: string; readonly parsed: T }>()
  return (object, text) => {
    const before = known.get(object)
    if (before?.text === text) return before.parsed
    const parsed = parse(text)
    known.set(object, { text, parsed })
    return parsed
  }
}
