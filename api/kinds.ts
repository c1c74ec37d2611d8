import type { Resource } from './meta.ts'

export const spotGroup = 'spot.cluster.x-k8s.io'
export const coreGroup = 'cluster.x-k8s.io'

/** A kind of ours; its plural is what core and the autoscaler derive from the kind. */
export function spotKind(kind: string): Resource {
  return { group: spotGroup, version: 'v1alpha1', plural: `${kind.toLowerCase()}s`, kind, namespaced: true }
}

function cores(kind: string): Resource {
  return { group: coreGroup, version: 'v1beta2', plural: `${kind.toLowerCase()}s`, kind, namespaced: true }
}

export const externalControlPlanes: Resource = spotKind('ExternalControlPlane')

export const clusters: Resource = cores('Cluster')
export const machines: Resource = cores('Machine')

export const secrets: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true }
export const nodes: Resource = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false }
