import { ClusterNodes, type ClusterNodesOptions } from './cluster-nodes.ts'
import { ClusterPods } from './cluster-pods.ts'
import type { NodeRegistrar } from '../instances/nodes.ts'

/** The kubelets of all booted machines of one cluster: their Nodes and their Pods. */
export interface Kubelets {
  readonly nodes: NodeRegistrar
  /** Resolves when nothing is under way any more. The signal of their ctx has to fire first. */
  settled(): Promise<void>
}

export function startKubelets({ client, ctx, ...options }: Omit<ClusterNodesOptions, 'pods'>): Kubelets {
  const pods = new ClusterPods({ client, ctx })
  const nodes = new ClusterNodes({ client, ctx, pods, ...options })
  const running = pods.run(ctx)
  return {
    nodes,
    async settled() {
      await Promise.all([nodes.settled(), running])
    },
  }
}
