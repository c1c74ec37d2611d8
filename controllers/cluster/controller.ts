import type { Ctx } from '../../api/ctx.ts'
import { watching } from '../runtime/cache/watching.ts'
import { runWatched, type Run } from '../runtime/controller/run-watched.ts'
import { changed, mattersToUs, referredTo } from '../shared/changes.ts'
import type { ClusterDeps } from './deps.ts'
import { reconcileCluster } from './reconcile.ts'

/**
 * The infrastructure clusters of one cloud. One is reconciled when it changes, or when the Cluster that refers to it
 * does.
 */
export async function runClusters(deps: ClusterDeps, run: Run, ctx: Ctx): Promise<void> {
  const { infraClusters, clusters, resource } = deps
  const watches = [
    watching(infraClusters, changed),
    watching(clusters, (change) =>
      mattersToUs(change) ? referredTo(change, ({ spec }) => spec.infrastructureRef, resource.kind) : [],
    ),
  ]
  const reconcile = (key: string, passCtx: Ctx) => reconcileCluster(key, deps, passCtx)
  await runWatched({ name: resource.kind, ...run, reconcile, watches }, ctx)
}
