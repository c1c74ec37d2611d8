import type { Ctx } from '../../api/ctx.ts'
import type { Cluster, InfraCluster } from '../../api/machine.ts'
import type { NoticeSources } from '../shared/notice-sources.ts'
import type { Cloud } from '../../providers/cloud.ts'
import type { AccountUse } from '../shared/account-use.ts'
import type { FleetUse } from '../shared/fleet-use.ts'
import type { InfraClusters } from '../shared/infra-cluster.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { Recorder } from '../runtime/controller/events.ts'
import type { OrphanSweep } from './sweep.ts'
import type { Resource } from '../../api/meta.ts'

/** The dependencies of the cluster controller. There is one set for each kind of infrastructure cluster. */
export interface ClusterDeps extends FleetUse, AccountUse {
  readonly resource: Resource
  readonly machineResource: Resource
  readonly client: KubeClient
  readonly infraClusters: Cache<InfraCluster>
  /** The infrastructure clusters of all clouds: any of them may carry a copy of an owner id. */
  readonly everyKind: () => readonly InfraClusters[]
  readonly clusters: Cache<Cluster>
  readonly recorder: Recorder
  readonly cloud: () => Promise<Cloud>
  /** This manager's name beside owner ids: the management cluster and its Lease. */
  readonly holder: (ctx: Ctx) => Promise<string>
  readonly noticeSources: NoticeSources
  readonly sweep: Pick<OrphanSweep, 'run' | 'accept' | 'isAllClaimed' | 'isUnseen'>
}
