import type { Ctx } from '../../../api/ctx.ts'
import type { Next } from '../../runtime/controller/result.ts'
import { addFinalizer, hasFinalizer } from '../status/patch.ts'
import type { Pass } from '../pass.ts'

/**
 * The finalizer, before anything that costs money, and not before a Machine owns the object: core would trip over it.
 */
export async function own(pass: Pass, ctx: Ctx): Promise<Next> {
  if (pass.machine && !hasFinalizer(pass)) await addFinalizer(pass, ctx)
  return 'done'
}

/** Without the finalizer a delete would lose the instance that a machine gets, by a launch or by adoption. */
export function notOwned(pass: Pass): Next | undefined {
  if (hasFinalizer(pass)) return undefined
  const isLeaving = pass.infra.metadata.deletionTimestamp !== undefined
  return isLeaving ? 'done' : { after: 1_000, why: 'the finalizer is not written yet' }
}
