import type { CloudError } from './cloud-error.ts'
import type { CapacityType, Offering } from './offering.ts'
import type { OwnershipTag } from './ownership.ts'

export type InstanceState =
  /** Accepted; not yet started by the cloud. */
  | 'pending'
  | 'running'
  /** Will be stopped. It runs no longer. */
  | 'stopping'
  /** Off, but it still exists (and costs a part of its price). */
  | 'stopped'
  /** Will be terminated. */
  | 'terminating'
  /** Gone; the cloud still shows that it existed. */
  | 'terminated'
  /** No instance, only its parts: a network interface, a disk. `terminate` removes them. */
  | 'leftover'

export interface Instance {
  /** The cloud's immutable id. It is never used again, even where names are. */
  readonly id: string
  /** Its name in the cloud, if that is not the id. */
  readonly name?: string
  /** The time of creation by the cloud's clock; undefined if the cloud does not show it. */
  readonly launchedAt?: number
  /** Its account, or the part of it that the providerID names, if the answer has one. */
  readonly account?: string
  readonly state: InstanceState
  /** The cloud has started it, so that it can no longer be refused for lack of capacity. Its providerID is fixed. */
  readonly started: boolean
  /** Undefined if the cloud's answer does not prove that the instance is ours. */
  readonly tag: OwnershipTag | undefined
  /** As bought, whatever was requested. */
  readonly capacityType: CapacityType
  /** '' if the cloud has not shown what was bought. Then the capacity type and the zone are not known either. */
  readonly instanceType: string
  readonly zone: string
  readonly addresses: readonly Address[]
  /** Why it is in this state, in the cloud's own words. */
  readonly reason?: { readonly code: string; readonly message: string }
  /** The cloud took it back: preempted, evicted, reclaimed. */
  readonly interrupted?: boolean
  /** A late refusal: the cloud accepted the launch, then found that it could not start the instance. */
  readonly failure?: CloudError
}

/** What was bought. Undefined: Azure's list of machines shows it only together with that of their interfaces. */
export function shownOffering({ capacityType, instanceType, zone }: Instance): Offering | undefined {
  return instanceType === '' ? undefined : { capacityType, instanceType, zone }
}

export interface Address {
  readonly type: 'Hostname' | 'InternalIP' | 'ExternalIP' | 'InternalDNS' | 'ExternalDNS'
  readonly address: string
}
