import { unaskedVerdict } from '../../../api/rules/readiness.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { Result } from '../../runtime/controller/result.ts'
import type { Pass } from '../pass.ts'

/** No attempt is written, so no refusal is kept: a person may still make or correct the missing object. */
export function lookAgain(pass: Pass, error: CloudError, ctx: Ctx): Result {
  pass.ready = unaskedVerdict(error)
  const insteadOf = `${pass.key} look up`
  const now = { nowMs: ctx.clock.monotonic(), atLeastMs: error.retryAfterMs ?? 0, insteadOf }
  const after = pass.deps.backoff.refused(lookupBackoffKey(pass), now)
  const { code, kind, message: cause } = error
  ctx.log.warn('What a launch needs is not there', { code, kind, cause, againInMs: after })
  return { requeueAfterMs: after, reason: `not to be had: ${code}` }
}

/** The key has the generations of both objects, so that an edited object is tried at once. */
export function lookupBackoffKey({ key, machine, infraCluster }: Pass): string {
  return `${key} look up ${machine?.metadata.generation} ${infraCluster?.metadata.generation}`
}
