import type { Options } from '../config/options.ts'
import type { Ctx } from '../api/ctx.ts'
import { clusters, externalControlPlanes, interruptionPolicies, machineHealthChecks, machines } from '../api/kinds.ts'
import { core } from '../api/labels.ts'
import { clusterKeyOf, owningClusterKey, type Cluster, type InfraMachine, type Machine } from '../api/machine.ts'
import type { KubeObject, ObjectMeta, Resource } from '../api/meta.ts'
import type { Cloud } from '../providers/cloud.ts'
import { Fleets } from '../providers/fleet/fleets.ts'
import { machineMark, newId } from '../providers/ownership.ts'
import { clouds, CloudRegistry, type SupportedCloud } from '../providers/registry.ts'
import { CapacityMemory } from './capacity/memory.ts'
import { runClusters } from './cluster/controller.ts'
import { OrphanSweep } from './cluster/sweep.ts'
import { runControlPlanes } from './controlplane/controller.ts'
import { runMachines, urgent } from './machine/controller.ts'
import { Doubts } from './machine/doubts.ts'
import { Pauses } from './machine/pauses.ts'
import { countCloudCalls, countInterruptions, countRelists } from './metrics/observers.ts'
import { showMachines, showRemediations } from './metrics/vitals.ts'
import { accountUse } from './account-use.ts'
import { fleetsUntilTheEnd, fleetUse } from './fleet-use.ts'
import { NodeEvents } from './node/events.ts'
import { NodeLabeler } from './node/labels.ts'
import { Oversight, type Clients } from './oversight.ts'
import {
  projectCluster,
  projectControlPlane,
  projectHealthCheck,
  projectInfraCluster,
  projectInfraMachine,
  projectMachine,
  projectPolicy,
} from './projections.ts'
import { runRemediation } from './remediation/controller.ts'
import { clusterKeyOfSpec } from './remediation/index-key.ts'
import { Ledgers } from './remediation/ledgers.ts'
import { Mendings } from './remediation/mendings.ts'
import { createCache, type Cache, type CacheOptions } from './runtime/cache.ts'
import type { Selection } from './runtime/client.ts'
import { createRecorder, type Recorder } from './runtime/events.ts'
import { runManager, type Runnable } from './runtime/manager.ts'
import { OwnWrites } from './runtime/own-writes.ts'
import { keyOf } from './runtime/resource.ts'
import { together } from './runtime/together.ts'
import { runTemplates } from './template/controller.ts'
import type { TemplateDeps } from './template/reconcile.ts'
import { projectTemplate, templateKind } from './template/template.ts'
import { runVolumes } from './volumes/controller.ts'
import { AccessReviews } from './workload/access.ts'
import { WorkloadClients } from './workload/clients.ts'

/** Each waits for its API server only, for ten seconds where that is away: the others are not to wait for it. */
const probesAtOnce = 16

/** What all controllers share. */
interface Shared {
  readonly oversight: Oversight
  readonly options: Options
  readonly recorder: Recorder
  readonly machines: Cache<Machine>
  readonly clusters: Cache<Cluster>
  readonly registry: CloudRegistry
  readonly fleets: Fleets
  /** By cloud: what to do when the instance of the machine with this mark has changed. */
  readonly wakes: Map<string, (mark: string) => void>
  /** By kind. */
  readonly machineCaches: Map<string, Cache<InfraMachine>>
  readonly workloads: WorkloadClients
  readonly nodes: NodeLabeler
  readonly nodeEvents: NodeEvents
}

interface Parts {
  readonly caches: Runnable[]
  readonly controllers: Runnable[]
}

/**
 * Puts the manager together and runs it until ctx ends: first what watches over it and what reads, then the lease, then
 * what acts. It ends in reverse: the lease is given back when nobody acts any more, and clients are closed last.
 */
export async function manage(clients: Clients, options: Options, ctx: Ctx): Promise<void> {
  const oversight = await Oversight.start(clients, options, ctx)
  const life = new AbortController()
  const shared = share(oversight, options, { ...ctx, signal: life.signal })
  const supported = Object.keys(clouds) as SupportedCloud[]
  const parts = [
    {
      caches: [oversight.cache('Cluster', shared.clusters), oversight.cache('Machine', shared.machines)],
      controllers: [fleetsUntilTheEnd(shared.fleets, life)],
    },
    ...supported.map((name) => cloudParts(name, shared)),
    controlPlaneParts(shared),
    remediationParts(shared),
  ]
  const acting = together(
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
function share(oversight: Oversight, options: Options, ctx: Ctx): Shared {
  const { client, metrics } = oversight
  const wakes = new Map<string, (mark: string) => void>()
  const machineCaches = new Map<string, Cache<InfraMachine>>()
  showMachines(metrics, machineCaches)
  const workloads = new WorkloadClients(client)
  const onChange = (cloud: string, mark: string) => wakes.get(cloud)?.(mark)
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
        held: () => oversight.gate.closed(),
        ...(grantedLimits ? { grantedLimits } : {}),
      }
    }),
    fleets: new Fleets({ pollIntervalMs: options.pollInterval, onChange, onEnd: oversight.fleetEnded }, ctx),
    wakes,
    machineCaches,
    workloads,
    nodes: new NodeLabeler(workloads),
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
): Cache<T> {
  const selection: Selection = {
    ...(options.namespace ? { namespace: options.namespace } : {}),
    ...(options.watchFilter ? { labelSelector: `${core.watchFilter}=${options.watchFilter}` } : {}),
  }
  const onRelist = countRelists(oversight.metrics, resource.kind)
  return createCache({ client: oversight.client, ...selection, resource, ...what, onRelist })
}

/** Everything of one cloud. Its libraries are loaded when the first of its machines needs them. */
function cloudParts(name: SupportedCloud, shared: Shared): Parts {
  const { oversight, options, recorder, nodes, nodeEvents, fleets } = shared
  const { machines: resource, clusters: clusterResource } = clouds[name]
  const indexes = { cluster: clusterKeyOf, mark: (object: KubeObject) => [machineMark(keyOf(object))] }
  const infraMachines = cacheOf(resource, { project: projectInfraMachine, indexes }, shared)
  const infraClusters = cacheOf(clusterResource, { project: projectInfraCluster }, shared)
  let loaded: Promise<Cloud> | undefined
  const common = {
    ...accountUse(options.namespaceAccounts),
    client: oversight.client,
    clusterResource,
    infraClusters,
    clusters: shared.clusters,
    cloud: () => (loaded ??= shared.registry.load(name).then((cloud) => oversight.cloud(cloud))),
  }
  const machineDeps = {
    ...common,
    ...fleetUse(fleets, resource.kind),
    resource,
    machines: shared.machines,
    infraMachines,
    recorder,
    nodes,
    nodeEvents,
    ownWrites: new OwnWrites(),
    pauses: new Pauses(),
    doubts: new Doubts(),
    newToken: () => newId('token'),
    self: newId('token'),
    gate: oversight.gate,
  }
  const ofClusters = { ...common, ...fleetUse(fleets, clusterResource.kind), machineResource: resource }
  const sweepDeps = { ...ofClusters, infraMachines, recorder, orphans: options.orphans }
  const machineRun = oversight.controller(resource.kind, options.workers)
  const clusterRun = oversight.controller(clusterResource.kind, 4)
  shared.wakes.set(name, (mark) => {
    for (const machine of infraMachines.by('mark', mark)) machineRun.queue.add(keyOf(machine), { priority: urgent })
  })
  shared.machineCaches.set(resource.kind, infraMachines)
  // Made when it begins to act: its first minutes of quiet are those after the lease was taken.
  const clusterDeps = (own: Ctx) => {
    const sweep = new OrphanSweep(sweepDeps, own)
    return { ...ofClusters, resource: clusterResource, sweep }
  }
  const templates = templateParts({ ...common, templateOf: resource }, shared)
  return {
    caches: [
      oversight.cache(resource.kind, infraMachines),
      oversight.cache(clusterResource.kind, infraClusters),
      ...templates.caches,
    ],
    controllers: [
      ...templates.controllers,
      { name: clusterResource.kind, run: (own) => runClusters(clusterDeps(own), clusterRun, own) },
      { name: resource.kind, run: (own) => runMachines(machineDeps, machineRun, own) },
      volumeController(resource.kind, infraMachines, shared),
    ],
  }
}

function volumeController(kind: string, infraMachines: Cache<InfraMachine>, shared: Shared): Runnable {
  const { oversight, machines, clusters, workloads } = shared
  const name = `${kind} volumes`
  const run = oversight.controller(name, 4)
  const deps = { infraMachines, machines, clusters, workloads }
  return { name, run: (own) => runVolumes(deps, { name, run }, own) }
}

/** What autoscaling from zero reads: how big a node of a template would be. */
function templateParts(
  { templateOf, ...common }: Omit<TemplateDeps, 'resource' | 'templates'> & { templateOf: Resource },
  shared: Shared,
): Parts {
  const { oversight } = shared
  const resource = templateKind(templateOf)
  const templates = cacheOf(resource, { project: projectTemplate, indexes: { cluster: owningClusterKey } }, shared)
  const run = oversight.controller(resource.kind, 2)
  const deps = { ...common, resource, templates }
  return {
    caches: [oversight.cache(resource.kind, templates)],
    controllers: [{ name: resource.kind, run: (own) => runTemplates(deps, run, own) }],
  }
}

function controlPlaneParts(shared: Shared): Parts {
  const { oversight, clusters, workloads } = shared
  const resource = externalControlPlanes
  const controlPlanes = cacheOf(resource, { project: projectControlPlane }, shared)
  const deps = { client: oversight.client, resource, controlPlanes, clusters, workloads, access: new AccessReviews() }
  const run = oversight.controller(resource.kind, probesAtOnce)
  return {
    caches: [oversight.cache(resource.kind, controlPlanes)],
    controllers: [{ name: resource.kind, run: (own) => runControlPlanes(deps, run, own) }],
  }
}

/** The companion: by Cluster, whatever the cloud. After the clouds' own parts, for it reads their machines. */
function remediationParts(shared: Shared): Parts {
  const { oversight, options, clusters, machines, machineCaches, recorder } = shared
  const indexes = { cluster: clusterKeyOfSpec }
  const policies = cacheOf(interruptionPolicies, { project: projectPolicy, indexes }, shared)
  const healthChecks = cacheOf(machineHealthChecks, { project: projectHealthCheck, indexes }, shared)
  const run = oversight.controller('Remediation', 4)
  const deps = {
    client: oversight.client,
    clusters,
    machines,
    policies,
    healthChecks,
    infraMachines: machineCaches,
    memory: new CapacityMemory((cluster) => run.queue.add(cluster)),
    ledgers: new Ledgers(oversight.client),
    mendings: new Mendings(),
    recorder,
    ownWrites: new OwnWrites(),
    watchFilter: options.watchFilter,
  }
  return {
    caches: [
      oversight.cache(interruptionPolicies.kind, policies),
      oversight.cache(machineHealthChecks.kind, healthChecks),
    ],
    controllers: [{ name: 'Remediation', run: (own) => runRemediation(deps, run, own) }],
  }
}
