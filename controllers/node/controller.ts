import type { Ctx } from '../../api/ctx.ts'
import { isOff } from '../../api/rules/outcome.ts'
import { watching } from '../runtime/cache/watching.ts'
import { runWatched, type Run } from '../runtime/controller/run-watched.ts'
import { changed } from '../shared/changes.ts'
import { takeOutOfService, type OffNodeDeps } from './take-out-of-service.ts'

/** The machines of one cloud that are off. A machine is reconciled when it becomes so. */
export async function runOffNodes(
  deps: OffNodeDeps,
  { name, run }: { name: string; run: Run },
  ctx: Ctx,
): Promise<void> {
  const watches = [
    watching(deps.infraMachines, (change) => (change.after && isOff(change.after) ? changed(change) : [])),
  ]
  const reconcile = (key: string, passCtx: Ctx) => takeOutOfService(key, deps, passCtx)
  await runWatched({ name, ...run, reconcile, watches }, ctx)
}
