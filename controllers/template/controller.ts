import type { Ctx } from '../../api/ctx.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { watching } from '../runtime/cache/watching.ts'
import { Backoff } from '../shared/backoff.ts'
import { runWatched, type Run } from '../runtime/controller/run-watched.ts'
import { changed, watchingClusters } from '../shared/changes.ts'
import { reconcileTemplate, type TemplateDeps } from './reconcile.ts'

/**
 * The machine templates of one cloud. A template is reconciled when it changes, or when its Cluster or infrastructure
 * cluster does.
 */
export async function runTemplates(deps: TemplateDeps, run: Run, ctx: Ctx): Promise<void> {
  const { templates, resource } = deps
  const allOf = (clusterKey: string) => templates.by('cluster', clusterKey).map(keyOf)
  const watches = [watching(templates, changed), ...watchingClusters(deps, allOf)]
  const passes = { ...deps, backoff: new Backoff() }
  const reconcile = (key: string, passCtx: Ctx) => reconcileTemplate(key, passes, passCtx)
  await runWatched({ name: resource.kind, ...run, reconcile, watches }, ctx)
}
