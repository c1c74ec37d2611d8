import type { Resource } from './meta.ts'

export const spotGroup = 'spot.cluster.x-k8s.io'
export const coreGroup = 'cluster.x-k8s.io'

/** A kind of ours. Core and the autoscaler derive the plural from the kind in the same way. */
export function spotKind(kind: string): Resource {
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies')
  return { group: spotGroup, version: 'v1alpha1', plural, kind, namespaced: true }
}

function cores(kind: string): Resource {
  return { group: coreGroup, version: 'v1beta2', plural: `${kind.toLowerCase()}s`, kind, namespaced: true }
}

export const externalControlPlanes: Resource = spotKind('ExternalControlPlane')
export const interruptionPolicies: Resource = spotKind('InterruptionPolicy')
export const capacityPools: Resource = { ...spotKind('CapacityPool'), namespaced: false }

export const clusters: Resource = cores('Cluster')
export const machines: Resource = cores('Machine')
export const machineSets: Resource = cores('MachineSet')
export const machineDeployments: Resource = cores('MachineDeployment')
export const machineHealthChecks: Resource = cores('MachineHealthCheck')

export const secrets: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true }
export const namespaces: Resource = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
}
export const nodes: Resource = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false }
export const pods: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true }
