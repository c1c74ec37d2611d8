import type { Ctx } from '../../../api/ctx.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { addFinalizer, hasFinalizer } from '../status/patch.ts'
import type { Pass } from '../pass.ts'

/**
 * The finalizer, before anything that costs money, and not before a Machine owns the object: core would trip over it.
 */
export async function ensureFinalizer(pass: Pass, ctx: Ctx): Promise<Result> {
  if (pass.machine && !hasFinalizer(pass)) await addFinalizer(pass, ctx)
  return 'done'
}

/** Without the finalizer a delete would lose the instance that a machine gets, by a launch or by adoption. */
export function notOwned(pass: Pass): Result | undefined {
  if (hasFinalizer(pass)) return undefined
  const isLeaving = pass.infra.metadata.deletionTimestamp !== undefined
  return isLeaving ? 'done' : { requeueAfterMs: 1_000, reason: 'the finalizer is not written yet' }
}
