import type { Attempt } from '../../../api/attempt.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { InstanceRef, TerminateResult } from '../../../providers/instances.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import { turnAfterMs } from '../../../providers/wire/limiter.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { scopeOfAttempt } from '../existence/which.ts'
import type { EndPass, Pass } from '../pass.ts'
import { keepAttempt } from '../status/patch.ts'

/**
 * Removes what remains of refused attempts: an interface or a disk, which no call can turn into an instance any more.
 * So the machine goes on meanwhile, and only its finalizer waits for it.
 */
export async function cleanLeft(pass: EndPass, ctx: Ctx): Promise<Result> {
  const { attempt, deps, key } = pass
  const left = attempt?.left ?? []
  const nowMs = ctx.clock.monotonic()
  const restOf = (one: string) => deps.backoff.rest(pauseOf(key, one), nowMs)
  // What cannot be removed now holds up nothing else that is left.
  const [token] = left.toSorted((a, b) => restOf(a) - restOf(b))
  if (!attempt || token === undefined) return 'done'
  const rest = deps.gate.closed() === undefined ? restOf(token) : 1_000
  if (rest > 0) return { requeueAfterMs: rest, reason: 'it is too early to remove what a refused attempt has left' }
  const others = left.filter((one) => one !== token)
  // Of the present attempt nothing is left. Somebody may have written its token there.
  const isOwn = token === attempt.token
  const answer = isOwn ? 'gone' : await ask(pass, whichLeft(pass, attempt, token), ctx)
  if (answer === 'gone') {
    deps.backoff.clear(pauseOf(key, token))
    await keepAttempt(pass, { attempt: withLeft(attempt, others) }, ctx)
    return others.length > 0 ? { requeueAfterMs: 0, reason: 'another attempt has left something' } : 'done'
  }
  const after = pauseAfter(pass, { token, answer }, ctx)
  const reason = 'the cloud removes what a refused attempt has left'
  return { requeueAfterMs: Math.min(after, ...others.map(restOf)), reason }
}

function pauseOf(key: string, token: string): string {
  return `${key} left ${token}`
}

/** How long this one is left alone. */
function pauseAfter(
  { deps, key }: EndPass,
  { token, answer }: { token: string; answer: TerminateResult | CloudError },
  ctx: Ctx,
): number {
  const pause = pauseOf(key, token)
  const nowMs = ctx.clock.monotonic()
  if (!(answer instanceof CloudError)) {
    deps.backoff.unfinished(pause, { nowMs, atMostMs: goingMs })
    return goingMs
  }
  const { code, kind, message: cause } = answer
  const after = deps.backoff.refused(pause, { nowMs, atLeastMs: answer.retryAfterMs ?? 0 })
  ctx.log.warn('The cloud refused to remove what a refused attempt has left', { code, kind, cause, againInMs: after })
  return after
}

/** The cloud is not faster if it is asked more often. */
const goingMs = 10_000

async function ask(pass: EndPass, which: InstanceRef, ctx: Ctx): Promise<TerminateResult | CloudError> {
  try {
    return await pass.terminate(which, ctx)
  } catch (thrown) {
    if (thrown instanceof CloudError && turnAfterMs(thrown) === undefined) return thrown
    throw thrown
  }
}

function whichLeft(pass: Pass, attempt: Attempt, token: string): InstanceRef {
  const ownership = { owner: attempt.owner, token, machine: attempt.for }
  const name = pass.cloud.nameOf(ownership)
  return {
    scope: scopeOfAttempt(pass, attempt),
    tag: tagOf(ownership),
    ...(name === undefined ? {} : { name }),
    needsNoProof: true,
  }
}

function withLeft(attempt: Attempt, left: readonly string[]): Attempt {
  const { left: _, ...without } = attempt
  return left.length > 0 ? { ...without, left } : without
}
