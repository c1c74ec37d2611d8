import type { KubeObject } from '../../api/meta.ts'

/** A Node of a workload cluster, as far as we look at it. */
export interface Node extends KubeObject {
  spec?: { providerID?: string; taints?: Taint[] }
}

export interface Taint {
  key: string
  value?: string
  effect: string
}
