import type { Attempt } from '../../api/attempt.ts'
import type { Verdict } from '../../api/conditions.ts'
import type { Cluster, InfraCluster, InfraMachine, Machine } from '../../api/machine.ts'
import type { MachineReason } from '../../api/reasons.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { SystemCheck } from '../../api/rules/interruption/system-check.ts'
import type { Phase } from '../../api/rules/phase.ts'
import type { Cloud } from '../../providers/cloud.ts'
import type { InstanceReads, Instances } from '../../providers/instances.ts'
import type { Instance } from '../../api/instance.ts'
import type { Scope } from '../../api/scope.ts'
import type { Launches } from '../capacity/launches.ts'
import type { AttemptTokens } from '../shared/attempt-tokens.ts'
import type { InfraClusters } from '../shared/infra-cluster.ts'
import type { AccountUse } from '../shared/account-use.ts'
import type { FleetUse } from '../shared/fleet-use.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { Recorder } from '../runtime/controller/events.ts'
import type { Result } from '../runtime/controller/result.ts'
import type { OwnWrites } from '../runtime/cache/own-writes.ts'
import type { Resource } from '../../api/meta.ts'
import type { WriteGate } from '../runtime/process/write-gate.ts'
import type { PendingCreates } from './existence/pending-creates.ts'
import type { Backoff } from '../shared/backoff.ts'
import type { Nodes, NodeWarnings } from '../shared/nodes.ts'

/** The dependencies of the machine controller. Each kind of machine has a set of its own. */
export interface MachineDeps extends InfraClusters, FleetUse, AccountUse {
  readonly resource: Resource
  readonly client: KubeClient
  readonly infraMachines: Cache<InfraMachine>
  readonly machines: Cache<Machine>
  readonly clusters: Cache<Cluster>
  readonly recorder: Recorder
  readonly nodes: Nodes
  readonly nodeEvents: NodeWarnings
  readonly ownWrites: OwnWrites
  readonly backoff: Backoff
  readonly pendingCreates: PendingCreates
  /** Which machines may ask now. */
  readonly launches: Launches
  /** Requeues the infra machine of this key. */
  readonly requeue: (key: string) => void
  readonly cloud: () => Promise<Cloud>
  readonly tokens: AttemptTokens
  readonly newToken: () => string
  /** The name of this process in attempts. No other process ever had it. */
  readonly self: string
  /** Checked right before each create and terminate. */
  readonly gate: Pick<WriteGate, 'closed'>
}

/** A cloud for steps that neither create nor terminate. */
export type CloudReads = Omit<Cloud, 'instances'> & { readonly instances: InstanceReads }

/**
 * One pass over one machine: the facts at its beginning, and the findings of its steps. A step can neither create nor
 * terminate an instance, unless it takes a `LaunchPass` or an `EndPass`.
 */
export interface Pass {
  /** `namespace/name` */
  readonly key: string
  /** Without the cloud, which could create and terminate. */
  readonly deps: Omit<MachineDeps, 'cloud'>
  readonly cloud: CloudReads
  readonly machine: Machine | undefined
  readonly cluster: Cluster | undefined
  readonly infraCluster: InfraCluster | undefined
  /** The scope of the infrastructure cluster, while that exists. */
  readonly home: Scope | undefined
  /** Of the Cluster; undefined until it is minted, or when the Cluster is not there (any more). */
  readonly ownerId: string | undefined
  /** Replaced by the answers to our own writes, so that later steps see them. */
  infra: InfraMachine
  attempt: Attempt | undefined
  /** Follows from `attempt` and changes with it. Every step decides by it. */
  phase: Phase
  /**
   * The manager must not act for this machine: its attempt does not fit, or its namespace may not use the account.
   * `Ready` says this.
   */
  readonly barred: Verdict<MachineReason> | undefined
  /** The last answer of the cloud about the instance, if there is one. */
  instance: Instance | undefined
  /**
   * It is known whether a lost attempt has an instance. Until then the machine buys nothing and keeps its finalizer.
   */
  isRecovered: boolean
  /** The cloud has refused the launch in this pass, and keeps an interface or a disk of it. */
  leavesParts: boolean
  /** What the cloud says of the host of the instance. Undefined leaves the condition as it is. */
  systemCheck: SystemCheck
  /** `Ready` when the pass ends. Undefined leaves it as it is. No step reads it to decide. */
  ready: Verdict<MachineReason> | undefined
}

/** For the launch step alone. */
export interface LaunchPass extends Pass {
  readonly create: Instances['create']
}

/** For the steps that terminate and clean up alone. */
export interface EndPass extends Pass {
  readonly terminate: Instances['terminate']
}

/** All that a runner has. It hands each step the part that the step takes. */
export type WholePass = LaunchPass & EndPass

/**
 * One step of a pass. Every step runs in every pass, and does nothing in the phases that are not its own. A step that
 * is not finished answers with a time and a reason; a failure is thrown.
 */
export type Step<Needs extends Pass = Pass> = (pass: Needs, ctx: Ctx) => Promise<Result>
