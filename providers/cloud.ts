import type { CapacityType, Offering } from '../api/offering.ts'
import type { AttemptPatterns, Site } from '../api/attempt.ts'
import type { Rung } from '../api/rules/capacity/rung.ts'
import type { QuotaClass, Reach } from '../api/rules/capacity/what-closes.ts'
import type { Ctx } from '../api/ctx.ts'
import type { FailureDomain, InfraCluster, InfraMachine } from '../api/machine.ts'
import type { BucketLimits } from './wire/bucket.ts'
import type { InstanceRef, Instances, LaunchRequest } from './instances.ts'
import type { ReceivedNotices, ShownNotices } from './notices.ts'
import type { CloudName, Scope } from '../api/scope.ts'
import type { Instance } from '../api/instance.ts'
import type { Ownership } from '../api/ownership.ts'

/**
 * One cloud: the cloud interface, and the functions that turn specs into its input. Each cloud names the specs of its
 * own kinds. The registry leads each object to the cloud of its kind, and the API server has checked the spec against
 * the CRD.
 */
export interface Cloud<MachineSpec = object, ClusterSpec = object> {
  readonly name: CloudName
  readonly instances: Instances
  /** Its sources of notices. Left out where the API of the cloud shows none. */
  readonly notices?: readonly ShownNotices[]
  /** The notices of the queue at this URL. Left out where no queue is read. */
  noticeQueue?(url: string): ReceivedNotices
  /** The cloud's spelling of regions, accounts and subnets. An attempt in another spelling is not followed. */
  readonly attemptPatterns: AttemptPatterns
  /** The scope of the machines of this infrastructure cluster: in the account that is pinned on it, if one is. */
  scopeOf(cluster: InfraCluster<ClusterSpec>): Scope
  /** The account of our credentials there; undefined where it is not known. Never throws a refusal. */
  accountOf(scope: Scope, ctx: Ctx): Promise<string | undefined>
  /**
   * Whether the cloud deletes such an instance when it takes it back, and shows no end of it. Many of those may vanish
   * at once. Pure.
   */
  vanishesWhenTaken(spec: MachineSpec): boolean
  /** The name of the instance of this attempt; undefined where the cloud finds instances without a name. Pure. */
  nameOf(ownership: Ownership): string | undefined
  /** The providerID of its Node, as the cloud's own cloud provider writes it. Pure. */
  providerIDOf(instance: Instance, clusterName: string): string
  /** The zones that this infrastructure cluster says it has. Pure. */
  failureDomainsOf(cluster: InfraCluster<ClusterSpec>): FailureDomain[]
  /**
   * The launch that the specs ask for. All machines of a scope share the lookups for it, so the calls do not grow with
   * the machines. Throws `CloudError`: of kind 'invalid' with the field, when the specs cannot be met; of kind 'subnet'
   * when all subnets that fit are in `wanted.exclude`; else the failure of a lookup.
   */
  plan(wanted: Wanted<MachineSpec, ClusterSpec>, ctx: Ctx): Promise<LaunchPlan>
  readonly offerings: Offerings<MachineSpec, ClusterSpec>
  /**
   * Adds to a running instance the settings that the cloud does not take with its launch. It is called again until it
   * answers 'done', by any process. A second call does no more than the first. Left out if a launch takes all settings.
   * Throws `CloudError`: of kind 'invalid' when the cloud will never take it.
   */
  extend?(machine: InfraMachine<MachineSpec>, which: InstanceRef, ctx: Ctx): Promise<'done' | 'later'>
  /** The resources of a Node of such a machine, for autoscaling from zero. Throws `CloudError` as `plan` does. */
  nodeSizeOf(spec: MachineSpec, scope: Scope, ctx: Ctx): Promise<NodeSize>
}

/**
 * The offerings of a cloud, by its catalogue and the specs. Whether there is capacity is never asked. It makes no
 * call that `plan` does not make, and shares its answers.
 */
export interface Offerings<MachineSpec = object, ClusterSpec = object> {
  /** The offering of the spec itself: rung 0. Throws `CloudError` as `plan` does. */
  own(wanted: Wanted<MachineSpec, ClusterSpec>, ctx: Ctx): Promise<Pick<Offering, 'capacityType' | 'instanceType'>>
  /**
   * The offerings of a rung that exist, the best first; at least one. What `plan` asks for without a choice is the
   * first of rung 0. Throws `CloudError`: of kind 'invalid' with the field, when the rung can never work for this
   * machine; else the failure of a lookup.
   */
  of(wanted: Wanted<MachineSpec, ClusterSpec>, rung: Rung, ctx: Ctx): Promise<readonly Offering[]>
  /** The quota that an offering counts against, from a table. Any text is read. Pure. */
  quotaClassOf(offering: Offering, spec: MachineSpec): QuotaClass
  /** How far a lack of capacity with this code of the cloud reaches. Pure. */
  reachOf(code: string, capacityType: CapacityType): Reach
}

/** Settings that all calls to a cloud have in common. */
export interface CloudSettings {
  /** Called once for each request that was sent, refused ones too. */
  readonly onCall?: (made: CallMade) => void
  /** Why no write may be sent now; asked right before each write. */
  readonly held?: () => string | undefined
  /** Limits that the cloud grants this account beyond the documented ones, by the names of its buckets. */
  readonly grantedLimits?: Readonly<Record<string, BucketLimits>>
}

/** One request that was sent, for metrics. */
export interface CallMade {
  readonly scope: Scope
  /** The cloud's own name of the call. */
  readonly action: string
  /** 'OK', or the code of the CloudError. */
  readonly code: string
  /** How long the cloud took. */
  readonly ms: number
  /** How long the call waited for its turn before. */
  readonly waitedMs: number
}

export interface Wanted<MachineSpec = object, ClusterSpec = object> {
  readonly machine: InfraMachine<MachineSpec>
  readonly cluster: InfraCluster<ClusterSpec>
  /** `Machine.spec.failureDomain`: a zone. */
  readonly failureDomain?: string
  /** `Machine.spec.version`: of Kubernetes. */
  readonly version?: string
  /**
   * The subnet and zone in which this attempt has asked already. It asks nowhere else, even if the specs have changed.
   */
  readonly at?: Site
  /** Subnets (`LaunchPlan.subnet`) that turned out to be full. */
  readonly exclude?: readonly string[]
  /** The offering to buy, and its subnet. Left out: as the spec itself says, in a zone that `plan` finds. */
  readonly choice?: Choice
}

/** One offering of one rung, as an attempt keeps it. The spec's own fields are the terms of their market. */
export interface Choice extends Offering {
  readonly rung: number
  /** Where this attempt has asked already: it asks nowhere else. Left out: `plan` finds a subnet in the zone. */
  readonly subnet?: string
}

export interface LaunchPlan {
  readonly request: LaunchRequest
  readonly offering: Offering
  /** The subnet in which it is asked for. */
  readonly subnet: string
  /** How many further subnets would fit: so often a full one can be left out with `Wanted.exclude`. */
  readonly otherSubnets: number
}

/** As it stands in the status of a machine template. */
export interface NodeSize {
  /** Kubernetes quantities by resource: cpu, memory, nvidia.com/gpu, … */
  readonly capacity: Readonly<Record<string, string>>
  readonly nodeInfo: { readonly architecture: 'amd64' | 'arm64'; readonly operatingSystem: 'linux' | 'windows' }
}
