import type { CloudError } from './cloud-error.ts'
import type { CapacityType } from './offering.ts'
import type { OwnershipTag } from './ownership.ts'

export type InstanceState =
  /** Accepted; not yet started by the cloud. */
  | 'pending'
  | 'running'
  /** On its way to stopped: it serves no more. */
  | 'stopping'
  /** Off, but still there (and paid for in part). */
  | 'stopped'
  /** On its way out. */
  | 'terminating'
  /** Gone; the cloud still shows that it was there. */
  | 'terminated'
  /** No instance, only what was made for one: a network interface, a disk. `terminate` removes it. */
  | 'leftover'

export interface Instance {
  /** The cloud's own immutable id: never used again, even where names are. */
  readonly id: string
  /** What the cloud calls it, where that is not the id. */
  readonly name?: string
  /** When the cloud made it, by its own clock; undefined where it does not tell. */
  readonly launchedAt?: number
  /** The account that it is in, or the place within it that the providerID names; where the answer names one. */
  readonly account?: string
  readonly state: InstanceState
  /**
   * The cloud has begun to run it, so that it can no longer be refused for lack of capacity. Its providerID is fixed.
   */
  readonly started: boolean
  /** Undefined where the cloud's answer does not prove that it is ours. */
  readonly tag: OwnershipTag | undefined
  /** What was really bought. */
  readonly capacityType: CapacityType
  readonly instanceType: string
  readonly zone: string
  readonly addresses: readonly Address[]
  /** Why it is in this state, in the cloud's own words. */
  readonly reason?: { readonly code: string; readonly message: string }
  /** The cloud took it back: preempted, evicted, reclaimed. */
  readonly interrupted?: boolean
  /** A refusal after the fact: the cloud said yes, then found that it could not. */
  readonly failure?: CloudError
}

export interface Address {
  readonly type: 'Hostname' | 'InternalIP' | 'ExternalIP' | 'InternalDNS' | 'ExternalDNS'
  readonly address: string
}
