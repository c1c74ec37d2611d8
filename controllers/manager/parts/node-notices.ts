import type { InfraMachine } from '../../../api/machine.ts'
import { runNodeNotices, type NodeNoticeDeps } from '../../interruption/node-notices.ts'
import type { Cache } from '../../runtime/cache/cache.ts'
import { NodeCaches } from '../../workload/node-caches.ts'
import type { NodeWatchState } from '../../workload/node-watch.ts'
import type { Common } from '../common.ts'
import type { Running } from '../part.ts'
import type { Supervisor } from '../supervisor.ts'

/** Of the supervisor only its client: these caches are part of no write gate and not of /readyz. */
type Needs = Pick<Common, 'clusters' | 'machines'> &
  Pick<NodeNoticeDeps, 'refused' | 'onNodeNotice'> & { readonly supervisor: Pick<Supervisor, 'client'> }

export interface NodeNoticesPart extends Running {
  /** Whether the Nodes of this Cluster (`namespace/name`) are watched. Undefined: it has no interruptible machines. */
  readonly state: (cluster: string) => NodeWatchState | undefined
}

/** Notices from the Nodes of workload clusters. `infraMachines`: by kind. */
export function nodeNoticesPart(
  infraMachines: ReadonlyMap<string, Cache<InfraMachine>>,
  { supervisor, clusters, machines, refused, onNodeNotice }: Needs,
): NodeNoticesPart {
  const nodeCaches = new NodeCaches({ management: supervisor.client })
  const deps = { clusters, machines, infraMachines, nodeCaches, refused, onNodeNotice }
  return {
    caches: [],
    controllers: [{ name: 'Node notices', run: (ctx) => runNodeNotices(deps, ctx) }],
    state: (cluster) => nodeCaches.state(cluster),
  }
}
