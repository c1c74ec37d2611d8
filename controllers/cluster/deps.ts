import type { Cluster, InfraCluster } from '../../api/machine.ts'
import type { Cloud } from '../../providers/cloud.ts'
import type { AccountUse } from '../account-use.ts'
import type { FleetUse } from '../fleet-use.ts'
import type { Cache } from '../runtime/cache.ts'
import type { KubeClient } from '../runtime/client.ts'
import type { OrphanSweep } from './sweep.ts'
import type { Resource } from '../../api/meta.ts'

/** What the cluster controller works with. One set a kind of infrastructure cluster. */
export interface ClusterDeps extends FleetUse, AccountUse {
  readonly resource: Resource
  readonly machineResource: Resource
  readonly client: KubeClient
  readonly infraClusters: Cache<InfraCluster>
  readonly clusters: Cache<Cluster>
  readonly cloud: () => Promise<Cloud>
  readonly sweep: Pick<OrphanSweep, 'run'>
}
