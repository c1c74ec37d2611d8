import type { Ctx } from '../../api/ctx.ts'
import { isOff } from '../../api/rules/outcome.ts'
import { watching } from '../runtime/watching.ts'
import { serve, type Run } from '../serve.ts'
import { changed } from '../wake.ts'
import { releaseVolumes, type VolumeDeps } from './release.ts'

/** The machines of one cloud that are off: woken when they become so. */
export async function runVolumes(deps: VolumeDeps, { name, run }: { name: string; run: Run }, ctx: Ctx): Promise<void> {
  const watches = [
    watching(deps.infraMachines, (change) => (change.after && isOff(change.after) ? changed(change) : [])),
  ]
  const reconcile = (key: string, passCtx: Ctx) => releaseVolumes(key, deps, passCtx)
  await serve({ name, ...run, reconcile, watches }, ctx)
}
