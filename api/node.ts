import type { KubeObject } from './meta.ts'

/** A Node of a workload cluster: the fields that we read. */
export interface Node extends KubeObject {
  spec?: { providerID?: string; taints?: Taint[] }
}

export interface Taint {
  key: string
  value?: string
  effect: string
}
