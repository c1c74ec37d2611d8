import type { Ctx } from '../../api/ctx.ts'
import { watching } from '../runtime/cache/watching.ts'
import { runWatched, type Run } from '../runtime/controller/run-watched.ts'
import { changed, mattersToUs, referredTo } from '../shared/changes.ts'
import { reconcileControlPlane, type ControlPlaneDeps } from './reconcile.ts'

/** Reconciles an ExternalControlPlane when it changes, or when the Cluster that refers to it does. */
export async function runControlPlanes(deps: ControlPlaneDeps, run: Run, ctx: Ctx): Promise<void> {
  const { controlPlanes, clusters, resource } = deps
  const watches = [
    watching(controlPlanes, changed),
    watching(clusters, (change) =>
      mattersToUs(change) ? referredTo(change, ({ spec }) => spec.controlPlaneRef, resource.kind) : [],
    ),
  ]
  const reconcile = (key: string, passCtx: Ctx) => reconcileControlPlane(key, deps, passCtx)
  await runWatched({ name: resource.kind, ...run, reconcile, watches }, ctx)
}
