import type { Ctx } from '../../api/ctx.ts'
import type { CapacityPool } from '../../api/generated/capacity-pool.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { watching } from '../runtime/cache/watching.ts'
import { runWatched, type Run } from '../runtime/controller/run-watched.ts'
import { PoolWriter, type PoolWriterDeps } from './pool-writer.ts'
import type { CapacityPools } from './pools.ts'

export interface PoolControllerDeps extends PoolWriterDeps {
  readonly objects: Cache<CapacityPool>
  readonly pools: CapacityPools
}

/** Reconciles by name of the object. It begins when all objects have been listed, so that nothing counts twice. */
export async function runCapacityPools(deps: PoolControllerDeps, run: Run, ctx: Ctx): Promise<void> {
  const { objects, pools } = deps
  const writer = new PoolWriter(deps)
  const known = objects.list()
  writer.restore(known)
  pools.restore(known, ctx.clock.now())
  const stop = objects.onChange(({ before, after }) => {
    if (after) {
      pools.hear(after, ctx.clock.now())
      return
    }
    if (!before) return
    writer.gone(before.metadata.name)
    pools.forget(before.metadata.name, ctx.clock.now())
  })
  const watches = [watching(objects, ({ before, after }) => [(after ?? before)?.metadata.name ?? []].flat())]
  try {
    await runWatched(
      {
        name: 'CapacityPool',
        kind: 'CapacityPool',
        ...run,
        reconcile: (name, own) => writer.reconcile(name, own),
        watches,
      },
      ctx,
    )
  } finally {
    stop()
  }
}
