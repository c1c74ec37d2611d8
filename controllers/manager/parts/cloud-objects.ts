import {
  clusterKeyOf,
  owningMachineKey,
  type Cluster,
  type InfraCluster,
  type InfraMachine,
} from '../../../api/machine.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'
import type { CloudName } from '../../../api/scope.ts'
import type { Cloud } from '../../../providers/cloud.ts'
import type { Fleets } from '../../../providers/fleet/fleets.ts'
import { clouds } from '../../../providers/registry.ts'
import { machineDigest } from '../../../providers/shared/ownership.ts'
import type { Launches } from '../../capacity/launches.ts'
import { instanceOf, regionOf } from '../../interruption/intake.ts'
import { showGate } from '../../metrics/vitals.ts'
import type { Cache, Reflection } from '../../runtime/cache/cache.ts'
import type { KubeClient } from '../../runtime/client/client.ts'
import { keyOf } from '../../runtime/client/resource.ts'
import type { Run } from '../../runtime/controller/run-watched.ts'
import { accountUse, type AccountUse } from '../../shared/account-use.ts'
import { AttemptTokens } from '../../shared/attempt-tokens.ts'
import type { InfraClusters } from '../../shared/infra-cluster.ts'
import type { NoticeSources } from '../../shared/notice-sources.ts'
import { cacheOf } from '../cache-of.ts'
import type { Common } from '../common.ts'
import type { Part } from '../part.ts'
import { projectInfraCluster, projectInfraMachine } from '../projections.ts'

/** The dependencies that the controllers of one cloud share. */
export interface CloudObjects extends InfraClusters, AccountUse {
  readonly part: Part
  readonly client: KubeClient
  readonly clusters: Cache<Cluster>
  readonly infraClusters: Reflection<InfraCluster>
  readonly machineResource: Resource
  /** With the indexes `cluster`, `machine`, `tag`, `instance` and `region`. */
  readonly infraMachines: Reflection<InfraMachine>
  readonly machineRun: Run
  readonly tokens: AttemptTokens
  readonly cloud: () => Promise<Cloud>
}

/** The dependencies of a cloud's parts beside its objects. */
export interface CloudNeeds extends Common {
  readonly fleets: Fleets
  /** The infrastructure clusters of all clouds. */
  readonly everyCluster: readonly InfraClusters[]
  readonly noticeSources: NoticeSources
  readonly launches: Launches
}

/** The cloud's libraries are loaded when the first of its machines needs them. */
export function cloudObjects(name: CloudName, shared: Common): CloudObjects {
  const { supervisor, options } = shared
  const { machines: machineResource, clusters: clusterResource } = clouds[name]
  const part = supervisor.part(name)
  showGate(supervisor.metrics, name, part.gate)
  const tag = (object: KubeObject) => [machineDigest(keyOf(object))]
  const indexes = { cluster: clusterKeyOf, machine: owningMachineKey, tag, instance: instanceOf, region: regionOf }
  let loaded: Promise<Cloud> | undefined
  return {
    ...accountUse(options.namespaceAccounts),
    part,
    client: supervisor.client,
    clusters: shared.clusters,
    clusterResource,
    infraClusters: cacheOf(clusterResource, { project: projectInfraCluster }, shared),
    machineResource,
    infraMachines: cacheOf(machineResource, { project: projectInfraMachine, indexes }, shared),
    machineRun: part.controller(machineResource.kind, options.workers),
    tokens: new AttemptTokens(),
    cloud: () => (loaded ??= shared.registry.load(name).then((cloud) => supervisor.cloud(cloud, part))),
  }
}
