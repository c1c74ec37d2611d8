import { spotKind } from '../../api/kinds.ts'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import type {
  Cluster,
  InfraCluster,
  InfraMachine,
  Machine,
  MachineDeployment,
  MachineHealthCheck,
  MachineSet,
  Node,
} from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { Launches, type LaunchesDeps } from '../../controllers/capacity/launches.ts'
import { CapacityMemory } from '../../controllers/capacity/memory.ts'
import { AttemptTokens } from '../../controllers/shared/attempt-tokens.ts'
import { runClusters } from '../../controllers/cluster/controller.ts'
import { OrphanSweep } from '../../controllers/cluster/sweep.ts'
import { guarded } from '../../providers/decorators/guarded.ts'
import { fleetUse } from '../../controllers/shared/fleet-use.ts'
import { runMachines } from '../../controllers/machine/controller.ts'
import { urgent } from '../../controllers/manager/queue-wakes.ts'
import { instanceOf } from '../../controllers/interruption/intake.ts'
import { machineDeploymentKeyOf, machineSetKeyOf } from '../../controllers/interruption/machine-set-key.ts'
import { aheadKeyOf, waitingKeyOf } from '../../controllers/interruption/planned/owner-keys.ts'
import { clusterKeyOfSpec } from '../../controllers/remediation/index-key.ts'
import { PendingCreates } from '../../controllers/machine/existence/pending-creates.ts'
import { Backoff } from '../../controllers/shared/backoff.ts'
import { runRemediation } from '../../controllers/remediation/controller.ts'
import type { RemediationDeps } from '../../controllers/remediation/deps.ts'
import { BackoffStore } from '../../controllers/capacity/backoff-store.ts'
import { Mendings } from '../../controllers/remediation/mendings.ts'
import type { KubeClient } from '../../controllers/runtime/client/client.ts'
import type { PassMade } from '../../controllers/runtime/controller/controller.ts'
import { OwnWrites } from '../../controllers/runtime/cache/own-writes.ts'
import { Queue } from '../../controllers/runtime/controller/queue.ts'
import { keyOf, type ObjectRef } from '../../controllers/runtime/client/resource.ts'
import type { Index } from '../../controllers/runtime/cache/store.ts'
import { unlessConnected, unlessHeld, writeGate } from '../../controllers/runtime/process/write-gate.ts'
import type { Cloud } from '../../providers/cloud.ts'
import type { Notice } from '../../api/notice.ts'
import type { Scope } from '../../api/scope.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { Fleets } from '../../providers/fleet/fleets.ts'
import type { ShownList } from '../../providers/notices.ts'
import type { Instances } from '../../providers/instances.ts'
import type { FakeApiserver } from '../support/fakes/fake-apiserver.ts'
import { cloudOf } from '../support/fakes/fake-cloud.ts'
import type { Announcements } from './notices/announcements.ts'
import { Interruption } from './notices/part.ts'
import { kubeAccess } from './kube-access.ts'
import { LaggingCache } from './lagging-cache.ts'
import type { LyingCloud } from './lying-cloud.ts'
import type { Nodes } from './notices/nodes.ts'
import type { Process } from './process.ts'
import type { Wire } from './wire.ts'

export const kinds = [
  'AWSMachine',
  'Machine',
  'Cluster',
  'AWSCluster',
  'MachineHealthCheck',
  'MachineSet',
  'MachineDeployment',
  'InterruptionPolicy',
] as const
export type Kind = (typeof kinds)[number]

/** The world of a manager. */
export interface Surroundings {
  readonly apiserver: FakeApiserver
  readonly wire: Wire
  readonly cloud: LyingCloud
  readonly announcements: Announcements
  readonly nodes: Nodes
  /** A process deletes an object. Called when the request arrives. */
  readonly onDelete: (resource: Resource, ref: ObjectRef, options: { readonly uid?: string | undefined }) => void
  readonly isUp: () => boolean
  /** Whether caches hear of changes. */
  readonly isFollowing: () => boolean
  /** The Lease that this process finds, by the wall clock. */
  readonly leaseRenewedAt: number | undefined
  readonly newToken: () => string
  readonly held: (manager: Manager) => boolean
  readonly onPass: (made: PassMade) => void
}

/** An instance that ends there without a trace is forgotten. Another account has no subnets to launch in. */
function cloudIn(real: LyingCloud, instances: Instances): Cloud {
  const cloud = cloudOf(instances, undefined, () => real.account)
  const none = new CloudError('invalid', { code: 'NoSubnet', message: 'There is no such subnet.' })
  return {
    ...cloud,
    vanishesWhenTaken: () => real.manners.remembersForMs === 0,
    plan: (wanted, ctx) => (real.isElsewhere ? Promise.reject(none) : cloud.plan(wanted, ctx)),
  }
}

/**
 * The whole manager of one cloud, as controllers/manager/manager.ts puts it together, in a process that the world
 * controls.
 */
export class Manager {
  readonly process: Process
  readonly #caches: {
    readonly AWSMachine: LaggingCache<InfraMachine>
    readonly Machine: LaggingCache<Machine>
    readonly Cluster: LaggingCache<Cluster>
    readonly AWSCluster: LaggingCache<InfraCluster>
    readonly MachineHealthCheck: LaggingCache<MachineHealthCheck>
    readonly MachineSet: LaggingCache<MachineSet>
    readonly MachineDeployment: LaggingCache<MachineDeployment>
    readonly InterruptionPolicy: LaggingCache<InterruptionPolicy>
    readonly Node: LaggingCache<Node>
  }
  readonly #memory = new CapacityMemory((cluster) => this.#queues.remediation.add(cluster))
  readonly #queues: { machines: Queue; clusters: Queue; remediation: Queue; interruption: Queue }

  constructor(process: Process, around: Surroundings) {
    this.process = process
    const { apiserver, isFollowing, nodes } = around
    const cacheOf = <T extends KubeObject>(kind: Kind, indexes?: Readonly<Record<string, Index<T>>>) =>
      new LaggingCache<T>(process, objectsOf(apiserver, kind), isFollowing, indexes)
    this.#caches = {
      AWSMachine: cacheOf('AWSMachine', { instance: instanceOf }),
      Machine: cacheOf('Machine', { machineSet: machineSetKeyOf, ahead: aheadKeyOf, waiting: waitingKeyOf }),
      Cluster: cacheOf('Cluster'),
      AWSCluster: cacheOf('AWSCluster'),
      MachineHealthCheck: cacheOf('MachineHealthCheck'),
      MachineSet: cacheOf('MachineSet', { deployment: machineDeploymentKeyOf }),
      MachineDeployment: cacheOf('MachineDeployment'),
      InterruptionPolicy: cacheOf<InterruptionPolicy>('InterruptionPolicy', { cluster: clusterKeyOfSpec }),
      Node: new LaggingCache<Node>(process, [...nodes.all.values()], isFollowing),
    }
    const queue = () => new Queue(process.ctx)
    this.#queues = { machines: queue(), clusters: queue(), remediation: queue(), interruption: queue() }
    this.#run(around)
  }

  /** The machine in its cache. */
  machine(key: string): InfraMachine | undefined {
    return this.#caches.AWSMachine.get(key)
  }

  learn(kind: Kind | 'Node', key: string, object: KubeObject | undefined): void {
    this.#caches[kind].learn(key, object)
  }

  /** A wake-up without a reason. */
  wake(): void {
    this.process.reach(() => {
      for (const machine of this.#caches.AWSMachine.list()) this.#queues.machines.add(keyOf(machine))
      for (const cluster of this.#caches.AWSCluster.list()) this.#queues.clusters.add(keyOf(cluster))
      for (const cluster of this.#caches.Cluster.list()) this.#queues.remediation.add(keyOf(cluster))
      for (const machine of this.#caches.Machine.list()) this.#queues.interruption.add(keyOf(machine))
    })
  }

  #run(around: Surroundings): void {
    const { process } = this
    const { ctx } = process
    const { newToken, held, onPass } = around
    const { machines, clusters } = this.#queues
    const { AWSMachine: infraMachines, AWSCluster: infraClusters } = this.#caches
    const client = kubeAccess(around, process)
    const caches = kinds.map((kind) => ({ kind, cache: this.#caches[kind] }))
    const gate = writeGate([unlessHeld({ held: () => held(this) }), unlessConnected(caches)], async (own) => {
      await client.list(spotKind('AWSMachine'), { limit: 1 }, own)
    })
    const wake = (_cloud: string, tag: string) => {
      for (const machine of infraMachines.by('tag', tag)) machines.add(keyOf(machine), { priority: urgent })
    }
    const run = { onPass, held: () => gate.closed() }
    const interruption = new Interruption({
      process,
      client,
      run: { ...run, queue: this.#queues.interruption, workers: 2 },
      caches: this.#caches,
      listNow: (name, region) => fleets.now(name, region),
      capacity: this.#memory,
    })
    const onNotice = (_: string, scope: Scope, notice: Notice) => interruption.fromCloud(scope, notice)
    const onNoticeList = (list: ShownList) => interruption.fromCloudList(list)
    const fleets = new Fleets({ pollIntervalMs: 15_000, onChange: wake, onNotice, onNoticeList }, ctx)
    const instances = guarded(around.cloud.for(process), gate)
    const cloud = { ...cloudIn(around.cloud, instances), notices: [around.announcements.for(process)] }
    const recorder = { event: () => {}, settled: () => Promise.resolve() }
    const machineResource = spotKind('AWSMachine')
    const common = {
      notAllowed: () => undefined,
      client,
      clusterResource: spotKind('AWSCluster'),
      infraClusters,
      clusters: this.#caches.Cluster,
      cloud: () => Promise.resolve(cloud),
    }
    const tokens = new AttemptTokens()
    const { leaseRenewedAt } = around
    const ofClusters = { ...common, ...fleetUse(fleets, 'AWSCluster'), machineResource, recorder }
    const forSweep = { ...ofClusters, infraMachines, tokens, leaseRenewedAt }
    const forClusters = {
      ...ofClusters,
      resource: spotKind('AWSCluster'),
      everyKind: () => [common],
      holder: () => Promise.resolve('management cluster/lease'),
      noticeSources: () => [],
      sweep: new OrphanSweep({ ...forSweep, orphans: 'Terminate' }, ctx),
    }
    const forMachines = {
      ...common,
      ...fleetUse(fleets, 'AWSMachine'),
      resource: machineResource,
      machines: this.#caches.Machine,
      infraMachines,
      recorder,
      nodes: { write: () => Promise.resolve('done'), forget: () => {}, shownOff: () => {} },
      nodeEvents: { warn: () => Promise.resolve() },
      ownWrites: new OwnWrites(),
      backoff: new Backoff(),
      pendingCreates: new PendingCreates(),
      tokens,
      newToken,
      self: process.name,
      gate,
    }
    const capacity = this.#capacity(client)
    const withLaunches = { ...forMachines, launches: capacity.launches, requeue: (key: string) => machines.add(key) }
    void runMachines(withLaunches as never, { ...run, queue: machines, workers: 2 }, ctx)
    void runClusters(forClusters, { ...run, queue: clusters, workers: 1 }, ctx)
    void runRemediation(
      { ...this.#forRemediation(client), ...capacity },
      { ...run, queue: this.#queues.remediation, workers: 2 },
      ctx,
    )
    interruption.run()
  }

  #capacity(client: KubeClient) {
    const deps = {
      machines: this.#caches.Machine,
      policies: this.#caches.InterruptionPolicy,
      infraMachines: new Map([['AWSMachine', this.#caches.AWSMachine]]),
      memory: this.#memory,
      backoffStore: new BackoffStore(client),
    }
    return { ...deps, launches: new Launches(deps) }
  }

  #forRemediation(client: KubeClient): Omit<RemediationDeps, keyof LaunchesDeps | 'launches'> {
    const { Cluster: clusters, MachineHealthCheck: healthChecks } = this.#caches
    return {
      client,
      clusters,
      healthChecks,
      recorder: { event: () => {} },
      mendings: new Mendings(),
      ownWrites: new OwnWrites(),
      watchFilter: '',
    }
  }
}

export function objectsOf(apiserver: FakeApiserver, kind: Kind): KubeObject[] {
  return [...apiserver.objects].filter(([key]) => key.startsWith(`${kind} `)).map(([, object]) => object)
}
