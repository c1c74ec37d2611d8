import type { Ctx } from '../../api/ctx.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { watching } from '../runtime/cache/watching.ts'
import { runWatched, type Run } from '../runtime/controller/run-watched.ts'
import { changed, referredTo, watchingClusters } from '../shared/changes.ts'
import type { MachineDeps } from './pass.ts'
import { reconcileMachine } from './reconcile.ts'

/** The machines of one cloud: woken by what they depend on. */
export async function runMachines(deps: MachineDeps, run: Run, ctx: Ctx): Promise<void> {
  const { infraMachines, machines, resource } = deps
  const allOf = (clusterKey: string) => infraMachines.by('cluster', clusterKey).map(keyOf)
  const watches = [
    watching(infraMachines, changed),
    watching(machines, (change) => referredTo(change, ({ spec }) => spec.infrastructureRef, resource.kind)),
    ...watchingClusters(deps, allOf),
  ]
  const reconcile = (key: string, passCtx: Ctx) => reconcileMachine(key, deps, passCtx)
  await runWatched({ name: resource.kind, ...run, reconcile, watches }, ctx)
}
