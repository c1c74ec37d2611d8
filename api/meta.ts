/** The parts of every Kubernetes object that we read or write. Types only. */
export interface ObjectMeta {
  name: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
  creationTimestamp?: string
  deletionTimestamp?: string
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

/** What a request path is made of. */
export interface Resource {
  group: string
  version: string
  plural: string
  kind: string
  namespaced: boolean
}

/** `namespace/name`, or `name` for what has no namespace: the key of queues and caches. */
export function keyOf({ metadata }: { metadata: { name: string; namespace?: string } }): string {
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name
}

export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}
