import type { InfraCluster, InfraMachine } from '../api/machine.ts'
import type { CapacityType, CloudName, Instances, LaunchRequest, Scope } from './instances.ts'

/** One cloud, as the registry hands it out: the seam, and the pure functions that turn specs into what the seam takes. */
export interface Cloud {
  readonly name: CloudName
  readonly instances: Instances
  /** Where the machines of this infrastructure cluster live. */
  scopeOf(cluster: InfraCluster): Scope
  /** What the specs ask for. Throws `CloudError` of kind 'invalid' with the field, when they cannot be asked for. */
  plan(wanted: Wanted): LaunchPlan
}

export interface Wanted {
  readonly machine: InfraMachine
  readonly cluster: InfraCluster
  /** `Machine.spec.failureDomain`: a zone. */
  readonly failureDomain?: string
}

export interface LaunchPlan {
  readonly request: LaunchRequest
  readonly offering: Offering
}

/** What capacity is had or not had of. `pool` of providers/offering.ts is its one name. */
export interface Offering {
  readonly capacityType: CapacityType
  readonly instanceType: string
  readonly zone: string
}
