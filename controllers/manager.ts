import { randomUUID } from 'node:crypto'
import type { Options } from '../config/options.ts'
import type { Ctx } from '../api/ctx.ts'
import { clusters, externalControlPlanes, machines } from '../api/kinds.ts'
import { clusterKeyOf, type Cluster, type Machine } from '../api/machine.ts'
import type { Cloud } from '../providers/cloud.ts'
import { Fleets } from '../providers/fleet/fleets.ts'
import type { Scope } from '../providers/instances.ts'
import { clouds, CloudRegistry, type SupportedCloud } from '../providers/registry.ts'
import { runClusters } from './cluster/controller.ts'
import { OrphanSweep } from './cluster/sweep.ts'
import { runControlPlanes } from './controlplane/controller.ts'
import { runMachines, urgent } from './machine/controller.ts'
import { Pauses } from './machine/pauses.ts'
import { NodeLabeler } from './node/labels.ts'
import {
  projectCluster,
  projectControlPlane,
  projectInfraCluster,
  projectInfraMachine,
  projectMachine,
} from './projections.ts'
import { createCache, type Cache } from './runtime/cache.ts'
import type { KubeClient } from './runtime/client.ts'
import { createRecorder, type Recorder } from './runtime/events.ts'
import { runManager, type Runnable } from './runtime/manager.ts'
import { OwnWrites } from './runtime/own-writes.ts'
import { Queue } from './runtime/queue.ts'
import { WorkloadClients } from './workload/clients.ts'

/** What all controllers share. */
interface Shared {
  readonly client: KubeClient
  /** What every cache reads from: the API server, all of it or one namespace. */
  readonly source: { client: KubeClient; namespace?: string }
  readonly options: Options
  readonly recorder: Recorder
  readonly machines: Cache<Machine>
  readonly clusters: Cache<Cluster>
  readonly registry: CloudRegistry
  readonly fleets: Fleets
  readonly machineQueues: Map<string, Queue>
  readonly workloads: WorkloadClients
  readonly nodes: NodeLabeler
}

/** Puts the manager together and runs it until ctx ends: first what reads, then what acts. */
export async function manage(client: KubeClient, options: Options, ctx: Ctx): Promise<void> {
  const shared = share(client, options, ctx)
  const supported = Object.keys(clouds) as SupportedCloud[]
  const parts = supported.map((name) => cloudParts(name, shared, ctx))
  const controlPlane = controlPlaneParts(shared, ctx)
  try {
    await runManager(
      {
        runnables: [
          cached('Cluster', shared.clusters),
          cached('Machine', shared.machines),
          ...parts.flatMap(({ caches }) => caches),
          ...controlPlane.caches,
          ...parts.flatMap(({ controllers }) => controllers),
          ...controlPlane.controllers,
        ],
      },
      ctx,
    )
  } finally {
    await Promise.all([shared.fleets.ended(), shared.workloads.close(), shared.recorder.settled()])
  }
}

function share(client: KubeClient, options: Options, ctx: Ctx): Shared {
  const machineQueues = new Map<string, Queue>()
  const workloads = new WorkloadClients(client)
  const source = { client, ...(options.namespace ? { namespace: options.namespace } : {}) }
  const onChange = (cloud: string, machine: string) => machineQueues.get(cloud)?.add(machine, { priority: urgent })
  return {
    client,
    source,
    options,
    recorder: createRecorder({ client, component: 'cluster-api-provider-spot' }),
    machines: createCache({ ...source, resource: machines, project: projectMachine }),
    clusters: createCache({ ...source, resource: clusters, project: projectCluster }),
    registry: new CloudRegistry(),
    fleets: new Fleets({ pollIntervalMs: options.pollInterval, onChange }, ctx),
    machineQueues,
    workloads,
    nodes: new NodeLabeler(workloads),
  }
}

interface Parts {
  readonly caches: Runnable[]
  readonly controllers: Runnable[]
}

/** Everything of one cloud. Its libraries are loaded when the first of its machines needs them. */
function cloudParts(name: SupportedCloud, shared: Shared, ctx: Ctx): Parts {
  const { client, source, options, recorder, nodes, registry, fleets } = shared
  const kinds = clouds[name]
  const infraMachines = createCache({
    ...source,
    resource: kinds.machines,
    project: projectInfraMachine,
    indexes: { cluster: clusterKeyOf },
  })
  const infraClusters = createCache({ ...source, resource: kinds.clusters, project: projectInfraCluster })
  const common = {
    client,
    infraClusters,
    clusters: shared.clusters,
    cloud: () => registry.load(name),
    fleetOf: (scope: Scope, { instances }: Cloud) => fleets.of(scope, instances),
  }
  const machineDeps = {
    ...common,
    resource: kinds.machines,
    machines: shared.machines,
    infraMachines,
    recorder,
    nodes,
    ownWrites: new OwnWrites(),
    pauses: new Pauses(),
    newToken: randomUUID,
  }
  const machineResource = kinds.machines
  const sweep = new OrphanSweep({ ...common, machineResource, infraMachines, recorder, orphans: 'Terminate' }, ctx)
  const clusterDeps = { ...common, resource: kinds.clusters, machineResource, sweep }
  const queue = new Queue(ctx)
  shared.machineQueues.set(name, queue)
  const { workers } = options
  const clusterRun = { queue: new Queue(ctx), workers: 4 }
  return {
    caches: [cached(kinds.machines.kind, infraMachines), cached(kinds.clusters.kind, infraClusters)],
    controllers: [
      { name: `${kinds.clusters.kind} controller`, run: (own) => runClusters(clusterDeps, clusterRun, own) },
      { name: `${kinds.machines.kind} controller`, run: (own) => runMachines(machineDeps, { queue, workers }, own) },
    ],
  }
}

function controlPlaneParts({ client, source, clusters, workloads }: Shared, ctx: Ctx): Parts {
  const resource = externalControlPlanes
  const controlPlanes = createCache({ ...source, resource, project: projectControlPlane })
  const deps = { client, resource, controlPlanes, clusters, workloads }
  const run = { queue: new Queue(ctx), workers: 4 }
  return {
    caches: [cached(resource.kind, controlPlanes)],
    controllers: [{ name: `${resource.kind} controller`, run: (own) => runControlPlanes(deps, run, own) }],
  }
}

function cached(kind: string, cache: Pick<Cache<unknown>, 'run' | 'synced'>): Runnable {
  return { name: `${kind} cache`, run: (ctx) => cache.run(ctx), ready: (ctx) => cache.synced(ctx) }
}
