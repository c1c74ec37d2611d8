import type { Attempt } from '../../../api/attempt.ts'
import { siteOf } from '../../../api/rules/capacity/chosen.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Verdict } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { refusals, type RefusalAction } from '../../../api/refusal.ts'
import { refusedVerdict, waitingVerdict } from '../../../api/rules/readiness.ts'
import type { LaunchPlan } from '../../../providers/cloud.ts'
import { areWritesHeld } from '../../../providers/errors.ts'
import { hasFallback } from '../../capacity/fallback.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { scopeOfAttempt } from '../existence/which.ts'
import type { Pass } from '../pass.ts'
import { keepRefusal } from '../status/patch.ts'
import { nextAttempt } from './attempts.ts'
import { descend, goesDown } from './descend.ts'
import { lookAgain, lookupBackoffKey } from './lookup-backoff.ts'
import { tellRefused } from './turn.ts'
import { wantedBy } from './wanted.ts'

export interface Refused {
  readonly refusal: CloudError
  /** 'later': after the cloud's yes. Then an instance of the attempt was seen, and something of it may be left. */
  readonly at: 'call' | 'later'
}

/**
 * Acts on the refusal of a launch, by the table of kinds. A full subnet ends the attempt, and the next attempt begins
 * in another subnet: at once after a refused call, else when nothing is left of this attempt.
 */
export async function afterRefusal(pass: Pass, { refusal, at }: Refused, ctx: Ctx): Promise<Result> {
  const { action } = refusals[refusal.kind]
  if (at === 'call' && action.do !== 'fail') return wait(pass, { refusal, action }, ctx)
  const { attempt } = pass
  if (!attempt) return lookAgain(pass, refusal, ctx)
  if (goesDown(pass, refusal)) return descend(pass, { attempt, refusal, at }, ctx)
  const next = await elsewhere(pass, { attempt, refusal }, ctx)
  if (at === 'call') {
    if (next instanceof CloudError && next.kind !== 'subnet') return afterRefusal(pass, { refusal: next, at }, ctx)
    if (next && !(next instanceof CloudError)) return begin(pass, { attempt, next, refusal }, ctx)
  } else if (mayGoOn(next)) {
    pass.ready = removing
    await keepRefusal(pass, { attempt, refusal, isFinal: true, goesOn: true }, ctx)
    return 'done'
  }
  tellRefused(pass, refusal, ctx)
  pass.ready = refusedVerdict(refusal)
  // Later: the instance of this token has been seen, and no earlier call makes a second one.
  const isFinal = at === 'later' || pass.deps.pendingCreates.left(pass.key, attempt.token, ctx.clock.monotonic()) === 0
  await keepRefusal(pass, { attempt, refusal, isFinal }, ctx)
  return 'done'
}

/** A plan that cannot be made now may be made when nothing is left of this attempt. */
function mayGoOn(next: LaunchPlan | CloudError | undefined): boolean {
  return next instanceof CloudError ? refusals[next.kind].action.do !== 'fail' : next !== undefined
}

/** Nothing is left of an attempt that was refused after the yes, and that goes on in another subnet. */
export async function goOn(pass: Pass, ctx: Ctx): Promise<Result> {
  const { attempt } = pass
  if (!attempt?.refused) return 'done'
  const rest = pass.deps.backoff.rest(lookupBackoffKey(pass), ctx.clock.monotonic())
  if (rest > 0) {
    // The message about the failure stays: a changed status would wake the machine again.
    pass.ready = undefined
    return { requeueAfterMs: rest, reason: 'what a launch needs was not there; it is too early to look again' }
  }
  const { kind, code, message } = attempt.refused
  const refusal = new CloudError(kind, { code, message })
  const next = await elsewhere(pass, { attempt, refusal }, ctx)
  if (next instanceof CloudError && next.kind !== 'subnet') return lookAgain(pass, next, ctx)
  if (next && !(next instanceof CloudError)) return begin(pass, { attempt, next, refusal }, ctx)
  tellRefused(pass, refusal, ctx)
  pass.ready = refusedVerdict(refusal)
  await keepRefusal(pass, { attempt, refusal, isFinal: true }, ctx)
  return 'done'
}

/** While it is removed. Not `False`: remediation would replace the Machine. */
const removing: Verdict<MachineReason> = {
  status: 'Unknown',
  reason: 'Launching',
  message: 'The subnet is full. The manager removes what is left there, and then tries another subnet.',
}

/** For each pass until the next attempt begins. With `fallback` the earlier message stays until then. */
export function verdictOfRefused(
  pass: Pass,
  refused: NonNullable<Attempt['refused']>,
): Verdict<MachineReason> | undefined {
  if (!refused.goesOn) return refusedVerdict(refused)
  return hasFallback(pass.infra) ? undefined : removing
}

interface Next {
  readonly attempt: Attempt
  readonly next: LaunchPlan
  readonly refusal: CloudError
}

/** The plan for another subnet, where that may help; or why there is none. */
async function elsewhere(
  pass: Pass,
  { attempt, refusal }: { attempt: Attempt; refusal: CloudError },
  ctx: Ctx,
): Promise<LaunchPlan | CloudError | undefined> {
  if (refusals[refusal.kind].excludes !== 'subnet' || !siteOf(attempt)) return undefined
  const wanted = wantedBy(pass)
  if (!wanted) return undefined
  const { at: _, ...anew } = wanted
  try {
    return await pass.cloud.plan({ ...anew, exclude: excludedBy(attempt) }, ctx)
  } catch (thrown) {
    if (thrown instanceof CloudError) return thrown
    throw thrown
  }
}

function excludedBy(attempt: Attempt): readonly string[] {
  const { exclude = [] } = attempt
  const site = siteOf(attempt)
  return site ? [...exclude, site.subnet] : exclude
}

/**
 * Waits for a whole list that shows the instances of all earlier calls for this machine. Time alone proves nothing:
 * while lists fail, the last whole list may be older than such a call. The new attempt replaces the record of these
 * calls.
 */
async function begin(pass: Pass, { attempt, next, refusal }: Next, ctx: Ctx): Promise<Result> {
  const { cloud, deps, key } = pass
  const nowMs = ctx.clock.monotonic()
  const { wholeAt } = deps.fleetOf(scopeOfAttempt(pass, attempt), cloud, key)
  if (deps.pendingCreates.othersLeft(key, undefined, wholeAt) > 0) {
    const left = deps.pendingCreates.othersLeft(key, undefined, nowMs)
    if (left > 0) deps.backoff.until(key, { nowMs, ms: left })
    const requeueAfterMs = left > 0 ? left : deps.backoff.refused(key, { nowMs })
    return { requeueAfterMs, reason: 'an earlier call without an answer may still have made an instance' }
  }
  ctx.log.info('Going on to another subnet', { full: siteOf(attempt)?.subnet, otherSubnets: next.otherSubnets + 1 })
  const planned = { plan: next, rung: 0 }
  await nextAttempt(pass, { ...attempt, exclude: excludedBy(attempt) }, { planned, refusal }, ctx)
  return { requeueAfterMs: 0, reason: 'another subnet has room, perhaps' }
}

async function wait(
  pass: Pass,
  { refusal, action }: { refusal: CloudError; action: Exclude<RefusalAction, { do: 'fail' }> },
  ctx: Ctx,
): Promise<Result> {
  if (!areWritesHeld(refusal)) pass.ready = waitingVerdict(action.reason, refusal)
  const nowMs = ctx.clock.monotonic()
  const { retryAfterMs } = refusal
  if (action.do === 'retry' && retryAfterMs !== undefined) {
    // The time was named, by the cloud or by our own limiter; a pause that grows on top of that would only add to it.
    pass.deps.backoff.until(pass.key, { nowMs, ms: retryAfterMs })
    ctx.log.debug('Waiting for a turn at the cloud', { code: refusal.code, againInMs: retryAfterMs })
    return { requeueAfterMs: retryAfterMs, reason: 'its turn at the cloud comes later' }
  }
  const atLeastMs = action.do === 'hold' ? action.afterMs : 0
  const after = pass.deps.backoff.refused(pass.key, { nowMs, atLeastMs })
  const { code, kind, message: cause } = refusal
  ctx.log.warn('The cloud refused the launch', { code, kind, cause, againInMs: after })
  return { requeueAfterMs: after, reason: `refused: ${code}` }
}
