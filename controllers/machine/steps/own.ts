import type { Ctx } from '../../../api/ctx.ts'
import type { Next } from '../../runtime/next.ts'
import { addFinalizer, hasFinalizer } from '../patch.ts'
import type { Pass } from '../pass.ts'

/**
 * The finalizer, before anything that costs money, and not before a Machine owns the object: core would trip over it.
 */
export async function own(pass: Pass, ctx: Ctx): Promise<Next> {
  if (pass.machine && !hasFinalizer(pass)) await addFinalizer(pass, ctx)
  return 'done'
}
