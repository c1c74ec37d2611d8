import type { Ctx } from '../../../api/ctx.ts'
import { refusedVerdict, unaskedVerdict, waitingVerdict } from '../../../api/rules/readiness.ts'
import { areWritesHeld } from '../../../providers/errors.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import { refusals } from '../../../api/refusal.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { keepRefusal } from '../status/patch.ts'
import type { Pass } from '../pass.ts'

/** What becomes of a machine that the cloud refused, by the table of kinds. */
export async function onRefusal(pass: Pass, error: CloudError, ctx: Ctx): Promise<Result> {
  const action = refusals[error.kind].action
  if (action.do === 'fail') {
    const { attempt, deps, key } = pass
    if (!attempt) return lookAgain(pass, error, ctx)
    pass.ready = refusedVerdict(error)
    const isFinal = deps.pendingCreates.left(key, attempt.token, ctx.clock.monotonic()) === 0
    await keepRefusal(pass, { attempt, refusal: error, isFinal }, ctx)
    return 'done'
  }
  if (!areWritesHeld(error)) pass.ready = waitingVerdict(action.reason, error)
  const nowMs = ctx.clock.monotonic()
  if (action.do === 'retry' && error.retryAfterMs !== undefined) {
    // The time was named, by the cloud or by our own limiter; a pause that grows on top of that would only add to it.
    pass.deps.backoff.until(pass.key, { nowMs, ms: error.retryAfterMs })
    ctx.log.debug('Waiting for a turn at the cloud', { code: error.code, againInMs: error.retryAfterMs })
    return { requeueAfterMs: error.retryAfterMs, reason: 'its turn at the cloud comes later' }
  }
  const atLeastMs = action.do === 'hold' ? action.afterMs : 0
  const after = pass.deps.backoff.refused(pass.key, { nowMs, atLeastMs })
  const { code, kind, message: cause } = error
  ctx.log.warn('The cloud refused the launch', { code, kind, cause, againInMs: after })
  return { requeueAfterMs: after, reason: `refused: ${code}` }
}

/** Nothing was asked for yet, so nothing is kept: somebody may still make or correct what is missing. */
function lookAgain(pass: Pass, error: CloudError, ctx: Ctx): Result {
  pass.ready = unaskedVerdict(error)
  const insteadOf = `${pass.key} look up`
  const now = { nowMs: ctx.clock.monotonic(), atLeastMs: error.retryAfterMs ?? 0, insteadOf }
  const after = pass.deps.backoff.refused(lookupBackoffKey(pass), now)
  const { code, kind, message: cause } = error
  ctx.log.warn('What a launch needs is not there', { code, kind, cause, againInMs: after })
  return { requeueAfterMs: after, reason: `not to be had: ${code}` }
}

/** Whoever corrects an object asks another question, and need not wait for the pause of the one before. */
export function lookupBackoffKey({ key, machine, infraCluster }: Pass): string {
  return `${key} look up ${machine?.metadata.generation} ${infraCluster?.metadata.generation}`
}
