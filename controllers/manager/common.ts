import type { Ctx } from '../../api/ctx.ts'
import { clusters, machines } from '../../api/kinds.ts'
import { clusterKeyOf, type Cluster, type Machine } from '../../api/machine.ts'
import type { Options } from '../../config/options.ts'
import { CloudRegistry } from '../../providers/registry.ts'
import { BackoffStore } from '../capacity/backoff-store.ts'
import { CapacityMemory } from '../capacity/memory.ts'
import { machineSetKeyOf } from '../interruption/machine-set-key.ts'
import { aheadKeyOf, waitingKeyOf } from '../interruption/planned/owner-keys.ts'
import { countUnannounced } from '../metrics/interruptions.ts'
import { countCloudCalls } from '../metrics/observers.ts'
import { showRemediations } from '../metrics/vitals.ts'
import { NodeEvents } from '../node/node-events.ts'
import { NodeWriter } from '../node/node-writer.ts'
import type { Reflection } from '../runtime/cache/cache.ts'
import { createRecorder, type Recorder } from '../runtime/controller/events.ts'
import type { Run } from '../runtime/controller/run-watched.ts'
import { WorkloadClients } from '../workload/clients.ts'
import { cacheOf, type CacheSource } from './cache-of.ts'
import { Holder } from './holder.ts'
import type { Running } from './part.ts'
import { projectCluster, projectMachine } from './projections.ts'
import type { Supervisor } from './supervisor.ts'

export const remediation = { part: 'Remediation', workers: 4 } as const

/** The dependencies that the controllers of all clouds share. */
export interface Common extends CacheSource, Capacity {
  readonly recorder: Recorder
  /** With the indexes `cluster`, `machineSet`, `ahead` and `waiting`. */
  readonly machines: Reflection<Machine>
  readonly clusters: Reflection<Cluster>
  readonly registry: CloudRegistry
  readonly holder: (ctx: Ctx) => Promise<string>
  readonly workloads: WorkloadClients
  readonly nodes: NodeWriter
  readonly nodeEvents: NodeEvents
}

/** The memory of launches and refusals. The machine controllers and the remediation tell it, and both ask it. */
export interface Capacity {
  readonly memory: CapacityMemory
  readonly backoffStore: BackoffStore
  /** The queue and workers of the remediation controller, which the memory wakes. */
  readonly remediationRun: Run
}

export function common(supervisor: Supervisor, options: Options): Common {
  const { client, metrics } = supervisor
  const from = { supervisor, options }
  const indexes = { cluster: clusterKeyOf, machineSet: machineSetKeyOf, ahead: aheadKeyOf, waiting: waitingKeyOf }
  const coreMachines = cacheOf(machines, { project: projectMachine, indexes }, from)
  showRemediations(metrics, coreMachines)
  const workloads = new WorkloadClients(client)
  const holder = new Holder(client, supervisor.election.lease)
  return {
    ...from,
    recorder: countUnannounced(
      metrics,
      createRecorder({ client, component: 'cluster-api-provider-spot', held: supervisor.precedence.why }),
    ),
    machines: coreMachines,
    clusters: cacheOf(clusters, { project: projectCluster }, from),
    registry: registryOf(from),
    holder: (ctx) => holder.name(ctx),
    workloads,
    nodes: new NodeWriter(workloads),
    nodeEvents: new NodeEvents(workloads),
    ...capacityOf(supervisor),
  }
}

function capacityOf(supervisor: Supervisor): Capacity {
  const remediationRun = supervisor.part(remediation.part).controller(remediation.part, remediation.workers)
  return {
    memory: new CapacityMemory((cluster) => remediationRun.queue.add(cluster)),
    backoffStore: new BackoffStore(supervisor.client),
    remediationRun,
  }
}

function registryOf({ supervisor, options }: CacheSource): CloudRegistry {
  return new CloudRegistry((name) => {
    const grantedLimits = options.grantedLimits[name]
    return {
      onCall: countCloudCalls(supervisor.metrics),
      held: () => supervisor.part(name).gate.closed(),
      ...(grantedLimits ? { grantedLimits } : {}),
    }
  })
}

/** The caches of core's objects, which every part needs. */
export function commonPart({ supervisor, clusters: coreClusters, machines: coreMachines }: Common): Running {
  return {
    caches: [supervisor.cache('Cluster', coreClusters), supervisor.cache('Machine', coreMachines)],
    controllers: [],
  }
}
