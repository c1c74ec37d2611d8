import type { Offering } from '../api/offering.ts'
import type { AttemptPatterns, Site } from '../api/attempt.ts'
import type { Ctx } from '../api/ctx.ts'
import type { FailureDomain, InfraCluster, InfraMachine } from '../api/machine.ts'
import type { BucketLimits } from './wire/bucket.ts'
import type { InstanceRef, Instances, LaunchRequest } from './instances.ts'
import type { CloudName, Scope } from '../api/scope.ts'
import type { Instance } from '../api/instance.ts'
import type { Ownership } from '../api/ownership.ts'

/**
 * One cloud: the seam, and what turns specs into what the seam takes. Each cloud names the specs of its own kinds. The
 * registry leads each object to the cloud of its kind, and the API server has checked the spec against the CRD.
 */
export interface Cloud<MachineSpec = object, ClusterSpec = object> {
  readonly name: CloudName
  readonly instances: Instances
  /** How it writes what an attempt names: an attempt of another spelling is not followed. */
  readonly attemptPatterns: AttemptPatterns
  /** Where the machines of this infrastructure cluster live: in the account that is pinned on it, once one is. */
  scopeOf(cluster: InfraCluster<ClusterSpec>): Scope
  /** The account that our credentials lead to there now; undefined where that is not known. Never throws a refusal. */
  accountOf(scope: Scope, ctx: Ctx): Promise<string | undefined>
  /**
   * Whether the cloud deletes such an instance when it takes it back, so that nothing shows its end. Many of those may
   * vanish at once. Pure.
   */
  vanishesWhenTaken(spec: MachineSpec): boolean
  /** The name of the instance of this attempt; undefined where the cloud finds instances without a name. Pure. */
  nameOf(ownership: Ownership): string | undefined
  /** What its Node calls itself: as the cloud's own cloud provider writes it. Pure. */
  providerIDOf(instance: Instance, clusterName: string): string
  /** The zones that this infrastructure cluster says it has. Pure. */
  failureDomainsOf(cluster: InfraCluster<ClusterSpec>): FailureDomain[]
  /**
   * What the specs ask for. What has to be looked up for it is shared by all machines of the scope, so that the calls
   * do not grow with the machines. Throws `CloudError`: of kind 'invalid' with the field, when it cannot be asked for;
   * of kind 'subnet' when all that fit are in `wanted.exclude`; else what became of the looking up.
   */
  plan(wanted: Wanted<MachineSpec, ClusterSpec>, ctx: Ctx): Promise<LaunchPlan>
  /**
   * Adds to a running instance what the cloud cannot take with its launch. Called again until it answers 'done', by any
   * process; the second call does no more than the first. Left out where a launch says it all. Throws `CloudError`: of
   * kind 'invalid' when it cannot be had.
   */
  extend?(machine: InfraMachine<MachineSpec>, which: InstanceRef, ctx: Ctx): Promise<'done' | 'later'>
  /** What a Node of such a machine offers, for autoscaling from zero. Throws `CloudError` as `plan` does. */
  nodeSizeOf(spec: MachineSpec, scope: Scope, ctx: Ctx): Promise<NodeSize>
}

/** What is the same for all calls to a cloud, whoever makes them. */
export interface CloudSettings {
  /** Called once for every request that was sent, refused ones too. */
  readonly onCall?: (made: CallMade) => void
  /** Why nothing that changes something may be sent now; asked right before it is. */
  readonly held?: () => string | undefined
  /** What the cloud grants this account beyond its documented limits, by the names of its buckets. */
  readonly grantedLimits?: Readonly<Record<string, BucketLimits>>
}

/** One request that was sent, for whoever counts them. */
export interface CallMade {
  readonly scope: Scope
  /** The cloud's own name of the call. */
  readonly action: string
  /** 'OK', or the code of the CloudError that came of it. */
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
  /** Where this attempt has asked already: it asks there again and nowhere else, whatever the specs say by now. */
  readonly at?: Site
  /** Subnets (`LaunchPlan.subnet`) that turned out to be full. */
  readonly exclude?: readonly string[]
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
