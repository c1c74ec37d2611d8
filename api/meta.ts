/** The parts of every Kubernetes object that we read or write. Types only. */
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
