import type { Options } from '../../config/options.ts'
import type { Ctx } from '../../api/ctx.ts'
import {
  clusters,
  externalControlPlanes,
  interruptionPolicies,
  machineHealthChecks,
  machines,
} from '../../api/kinds.ts'
import { core } from '../../api/labels.ts'
import {
  clusterKeyOf,
  owningClusterKey,
  owningMachineKey,
  type Cluster,
  type InfraMachine,
  type Machine,
} from '../../api/machine.ts'
import type { KubeObject, ObjectMeta, Resource } from '../../api/meta.ts'
import { lastRenewal } from '../../api/rules/orphans.ts'
import type { Cloud } from '../../providers/cloud.ts'
import { Fleets } from '../../providers/fleet/fleets.ts'
import { machineDigest } from '../../providers/shared/ownership.ts'
import type { CloudName } from '../../api/scope.ts'
import { clouds, CloudRegistry, supportedClouds } from '../../providers/registry.ts'
import { CapacityMemory } from '../capacity/memory.ts'
import { AttemptTokens } from '../shared/attempt-tokens.ts'
import { runClusters } from '../cluster/controller.ts'
import type { ClusterDeps } from '../cluster/deps.ts'
import { OrphanSweep, type SweepDeps } from '../cluster/sweep.ts'
import { runControlPlanes } from '../controlplane/controller.ts'
import type { Election } from './election.ts'
import { Holder } from './holder.ts'
import type { InfraClusters } from '../shared/infra-cluster.ts'
import { runMachines, urgent } from '../machine/controller.ts'
import { ofThisProcess } from '../machine/of-this-process.ts'
import { countCloudCalls, countInterruptions, countRelists } from '../metrics/observers.ts'
import { showGate, showMachines, showRemediations } from '../metrics/vitals.ts'
import { accountUse } from '../shared/account-use.ts'
import { fleetUse } from '../shared/fleet-use.ts'
import { fleetsUntilTheEnd } from './fleets-until-the-end.ts'
import { runOffNodes } from '../node/controller.ts'
import { NodeEvents } from '../node/node-events.ts'
import { NodeWriter } from '../node/node-writer.ts'
import { Supervisor, type Clients } from './supervisor.ts'
import type { Part, Running } from './part.ts'
import {
  projectCluster,
  projectControlPlane,
  projectHealthCheck,
  projectInfraCluster,
  projectInfraMachine,
  projectMachine,
  projectPolicy,
} from './projections.ts'
import { runRemediation } from '../remediation/controller.ts'
import { clusterKeyOfSpec } from '../remediation/index-key.ts'
import { BackoffStore } from '../remediation/backoff-store.ts'
import { Mendings } from '../remediation/mendings.ts'
import { createCache, type Cache, type CacheOptions, type Reflection } from '../runtime/cache/cache.ts'
import type { Selection } from '../runtime/client/client.ts'
import { createRecorder, type Recorder } from '../runtime/controller/events.ts'
import { runManager, type Runnable } from '../runtime/process/manager.ts'
import { OwnWrites } from '../runtime/cache/own-writes.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { runGroup } from '../runtime/process/run-group.ts'
import { runTemplates } from '../template/controller.ts'
import type { TemplateDeps } from '../template/reconcile.ts'
import { projectTemplate, templateKind } from '../template/template.ts'
import { AccessReviews } from '../workload/access.ts'
import { WorkloadClients } from '../workload/clients.ts'

/** Each waits for its API server only, for ten seconds where that is away: the others are not to wait for it. */
const probesAtOnce = 16

/** What all controllers share. */
interface Shared {
  readonly oversight: Supervisor
  readonly options: Options
  readonly recorder: Recorder
  readonly machines: Cache<Machine>
  readonly clusters: Cache<Cluster>
  readonly registry: CloudRegistry
  readonly fleets: Fleets
  /** By cloud: what to do when the instance of the machine with this tag has changed. */
  readonly wakes: Map<string, (tag: string) => void>
  /** By kind. */
  readonly machineCaches: Map<string, Cache<InfraMachine>>
  /** Of all clouds. */
  readonly clusterCaches: InfraClusters[]
  readonly holder: ClusterDeps['holder']
  readonly workloads: WorkloadClients
  readonly nodes: NodeWriter
  readonly nodeEvents: NodeEvents
}

/**
 * Puts the manager together and runs it until ctx ends: first what watches over it and what reads, then the lease, then
 * what acts. It ends in reverse: the lease is given back when nobody acts any more, and clients are closed last.
 */
export async function manage(clients: Clients, options: Options, ctx: Ctx): Promise<void> {
  const oversight = await Supervisor.start(clients, options, ctx)
  const life = new AbortController()
  const shared = share(oversight, options, { ...ctx, signal: life.signal })
  const parts = [
    {
      caches: [oversight.cache('Cluster', shared.clusters), oversight.cache('Machine', shared.machines)],
      controllers: [fleetsUntilTheEnd(shared.fleets, life)],
    },
    ...supportedClouds.map((name) => cloudParts(name, shared)),
    controlPlaneParts(shared),
    remediationParts(shared),
  ]
  const acting = runGroup(
    'Controllers',
    parts.flatMap(({ controllers }) => controllers),
  )
  const caches = parts.flatMap((part) => part.caches)
  try {
    await runManager({ runnables: [...oversight.runnables, ...caches, ...oversight.election.runnables, acting] }, ctx)
  } finally {
    await Promise.all([shared.nodeEvents.settled(), shared.recorder.settled()])
    await shared.workloads.close()
  }
}

/** `ctx` is the life of the fleets. */
function share(oversight: Supervisor, options: Options, ctx: Ctx): Shared {
  const { client, metrics } = oversight
  const wakes = new Map<string, (tag: string) => void>()
  const machineCaches = new Map<string, Cache<InfraMachine>>()
  showMachines(metrics, machineCaches)
  const workloads = new WorkloadClients(client)
  const holder = new Holder(client, oversight.election.lease)
  const onChange = (cloud: string, tag: string) => wakes.get(cloud)?.(tag)
  const from = { oversight, options }
  const coreMachines = cacheOf(machines, { project: projectMachine, indexes: { cluster: clusterKeyOf } }, from)
  showRemediations(metrics, coreMachines)
  return {
    ...from,
    recorder: countInterruptions(metrics, createRecorder({ client, component: 'cluster-api-provider-spot' })),
    machines: coreMachines,
    clusters: cacheOf(clusters, { project: projectCluster }, from),
    registry: new CloudRegistry((name) => {
      const grantedLimits = options.grantedLimits[name]
      return {
        onCall: countCloudCalls(metrics),
        held: () => oversight.part(name).gate.closed(),
        ...(grantedLimits ? { grantedLimits } : {}),
      }
    }),
    fleets: new Fleets({ pollIntervalMs: options.pollInterval, onChange, onEnd: oversight.fleetEnded }, ctx),
    wakes,
    machineCaches,
    clusterCaches: [],
    holder: (own) => holder.name(own),
    workloads,
    nodes: new NodeWriter(workloads),
    nodeEvents: new NodeEvents(workloads),
  }
}

/**
 * A cache of what this manager is to act on: all of it, of one namespace, or what carries the label of --watch-filter.
 */
function cacheOf<T extends { metadata: ObjectMeta }>(
  resource: Resource,
  what: { project: (raw: KubeObject) => T } & Pick<CacheOptions<T>, 'indexes'>,
  { oversight, options }: Pick<Shared, 'oversight' | 'options'>,
): Reflection<T> {
  const selection: Selection = {
    ...(options.namespace ? { namespace: options.namespace } : {}),
    ...(options.watchFilter ? { labelSelector: `${core.watchFilter}=${options.watchFilter}` } : {}),
  }
  const onRelist = countRelists(oversight.metrics, resource.kind)
  return createCache({ client: oversight.client, ...selection, resource, ...what, onRelist })
}

/** Everything of one cloud. Its libraries are loaded when the first of its machines needs them. */
function cloudParts(name: CloudName, shared: Shared): Running {
  const { oversight, options, recorder, nodes, nodeEvents, fleets, holder } = shared
  const part = oversight.part(name)
  showGate(oversight.metrics, name, part.gate)
  const { machines: resource, clusters: clusterResource } = clouds[name]
  const tag = (object: KubeObject) => [machineDigest(keyOf(object))]
  const indexes = { cluster: clusterKeyOf, machine: owningMachineKey, tag }
  const infraMachines = cacheOf(resource, { project: projectInfraMachine, indexes }, shared)
  const infraClusters = cacheOf(clusterResource, { project: projectInfraCluster }, shared)
  let loaded: Promise<Cloud> | undefined
  const common = {
    ...accountUse(options.namespaceAccounts),
    client: oversight.client,
    clusterResource,
    infraClusters,
    clusters: shared.clusters,
    cloud: () => (loaded ??= shared.registry.load(name).then((cloud) => oversight.cloud(cloud, part))),
  }
  shared.clusterCaches.push(common)
  const tokens = new AttemptTokens()
  const machineDeps = {
    ...common,
    ...fleetUse(fleets, resource.kind),
    resource,
    machines: shared.machines,
    infraMachines,
    recorder,
    nodes,
    nodeEvents,
    ...ofThisProcess(),
    tokens,
    gate: part.gate,
  }
  const forClusters = { ...common, ...fleetUse(fleets, clusterResource.kind), machineResource: resource, recorder }
  const sweepDeps = { ...forClusters, infraMachines, tokens, orphans: options.orphans }
  const machineRun = part.controller(resource.kind, options.workers)
  const clusterRun = part.controller(clusterResource.kind, 4)
  shared.wakes.set(name, (tag) => {
    for (const machine of infraMachines.by('tag', tag)) machineRun.queue.add(keyOf(machine), { priority: urgent })
  })
  shared.machineCaches.set(resource.kind, infraMachines)
  const clusterDeps = (own: Ctx) => {
    const sweep = sweepFrom(sweepDeps, oversight.election, own)
    return { ...forClusters, resource: clusterResource, everyKind: () => shared.clusterCaches, holder, sweep }
  }
  const templates = templateParts({ ...common, templateOf: resource }, part, shared)
  return {
    caches: [
      part.cache(resource.kind, infraMachines),
      part.cache(clusterResource.kind, infraClusters),
      ...templates.caches,
    ],
    controllers: part.acting([
      ...templates.controllers,
      { name: clusterResource.kind, run: (own) => runClusters(clusterDeps(own), clusterRun, own) },
      { name: resource.kind, run: (own) => runMachines(machineDeps, machineRun, own) },
      volumeController({ kind: resource.kind, infraMachines, part }, shared),
    ]),
  }
}

/** Made when it begins to act: its first minutes of quiet are those after the lease was taken. */
function sweepFrom(deps: Omit<SweepDeps, 'leaseRenewedAt'>, election: Election, own: Ctx): OrphanSweep {
  return new OrphanSweep({ ...deps, leaseRenewedAt: lastRenewal(election.predecessor()) }, own)
}

function volumeController(
  { kind, infraMachines, part }: { kind: string; infraMachines: Cache<InfraMachine>; part: Part },
  { machines, clusters, nodes }: Shared,
): Runnable {
  const name = `${kind} volumes`
  const run = part.controller(name, 4)
  const deps = { infraMachines, machines, clusters, nodes }
  return { name, run: (own) => runOffNodes(deps, { name, run }, own) }
}

/** What autoscaling from zero reads: how big a node of a template would be. */
function templateParts(
  { templateOf, ...common }: Omit<TemplateDeps, 'resource' | 'templates'> & { templateOf: Resource },
  part: Part,
  shared: Shared,
): Running {
  const resource = templateKind(templateOf)
  const templates = cacheOf(resource, { project: projectTemplate, indexes: { cluster: owningClusterKey } }, shared)
  const run = part.controller(resource.kind, 2)
  const deps = { ...common, resource, templates }
  return {
    caches: [part.cache(resource.kind, templates)],
    controllers: [{ name: resource.kind, run: (own) => runTemplates(deps, run, own) }],
  }
}

function controlPlaneParts(shared: Shared): Running {
  const { oversight, clusters, workloads } = shared
  const resource = externalControlPlanes
  const part = oversight.part(resource.kind)
  const controlPlanes = cacheOf(resource, { project: projectControlPlane }, shared)
  const deps = { client: oversight.client, resource, controlPlanes, clusters, workloads, access: new AccessReviews() }
  const run = part.controller(resource.kind, probesAtOnce)
  return {
    caches: [part.cache(resource.kind, controlPlanes)],
    controllers: part.acting([{ name: resource.kind, run: (own) => runControlPlanes(deps, run, own) }]),
  }
}

/** The remediation controller. It starts after the parts of the clouds, because it reads their machines. */
function remediationParts(shared: Shared): Running {
  const { oversight, options, clusters, machines, machineCaches, recorder } = shared
  const indexes = { cluster: clusterKeyOfSpec }
  const policies = cacheOf(interruptionPolicies, { project: projectPolicy, indexes }, shared)
  const healthChecks = cacheOf(machineHealthChecks, { project: projectHealthCheck, indexes }, shared)
  const part = oversight.part('Remediation')
  const run = part.controller('Remediation', 4)
  const deps = {
    client: oversight.client,
    clusters,
    machines,
    policies,
    healthChecks,
    infraMachines: machineCaches,
    memory: new CapacityMemory((cluster) => run.queue.add(cluster)),
    backoffStore: new BackoffStore(oversight.client),
    mendings: new Mendings(),
    recorder,
    ownWrites: new OwnWrites(),
    watchFilter: options.watchFilter,
  }
  return {
    caches: [part.cache(interruptionPolicies.kind, policies), part.cache(machineHealthChecks.kind, healthChecks)],
    controllers: part.acting([{ name: 'Remediation', run: (own) => runRemediation(deps, run, own) }]),
  }
}
