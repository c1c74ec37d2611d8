import { cameToNothing, mostLeft, refusedAt, type Attempt } from '../../../api/attempt.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { rfc3339, timeOf, type Verdict } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { refusals } from '../../../api/refusal.ts'
import { siteOf } from '../../../api/rules/capacity/chosen.ts'
import { unanswered } from '../../../api/rules/capacity/tried.ts'
import { walkOf } from '../../../api/rules/capacity/walk.ts'
import { refusedVerdict } from '../../../api/rules/readiness.ts'
import { hasFallback } from '../../capacity/fallback.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { scopeOfAttempt } from '../existence/which.ts'
import type { Pass } from '../pass.ts'
import { keepRefusal } from '../status/patch.ts'
import { nextAttempt, type Planned } from './attempts.ts'
import { choosePlan } from './choose.ts'
import { lookAgain, lookupBackoffKey } from './lookup-backoff.ts'
import { endClaim, stillHeld, tellRefused } from './turn.ts'

/** Whether a machine goes on with another offering after this refusal. */
export function goesDown({ infra }: Pass, { kind }: Pick<CloudError, 'kind'>): boolean {
  return hasFallback(infra) && refusals[kind].action.do === 'fail' && kind !== 'ended'
}

/**
 * The one place for a refusal of a machine with `fallback`. After a sure no the next attempt begins in the same write
 * that ends this one. After the yes of the cloud, what may be an instance is ended first.
 */
export async function descend(
  pass: Pass,
  { attempt, refusal, at }: { attempt: Attempt; refusal: CloudError; at: 'call' | 'later' },
  ctx: Ctx,
): Promise<Result> {
  tellRefused(pass, refusal, ctx)
  // It is the end of a call that the cloud had accepted: nothing more comes of that call.
  if (at === 'later') pass.deps.pendingCreates.ending(pass.key, attempt.token)
  const isSure = pass.deps.pendingCreates.left(pass.key, attempt.token, ctx.clock.monotonic()) === 0
  if (at === 'call' && isSure) return next(pass, { attempt, refusal }, ctx)
  pass.ready = ending
  await keepRefusal(pass, { attempt, refusal, isFinal: at === 'later' || isSure, goesOn: true }, ctx)
  return 'done'
}

/** Nothing that may be an instance is left of the refused attempt. */
export async function goOnDown(pass: Pass, ctx: Ctx): Promise<Result> {
  const { attempt, deps } = pass
  if (!attempt?.refused) return 'done'
  const held = stillHeld(pass, ctx)
  if (held) return held
  const nowMs = ctx.clock.monotonic()
  const rest = Math.max(deps.backoff.rest(lookupBackoffKey(pass), nowMs), deps.backoff.rest(pass.key, nowMs))
  if (rest > 0)
    return { requeueAfterMs: rest, reason: 'what a launch needs was not there; it is too early to look again' }
  const { kind, code, message } = attempt.refused
  return next(pass, { attempt, refusal: new CloudError(kind, { code, message }) }, ctx)
}

/** With `fallback`: the interface or disk of a refused attempt can be no instance any more. It is cleaned beside. */
export function isOnlyParts(pass: Pass): boolean {
  const { attempt, cloud, deps, key, infra } = pass
  if (!attempt || !hasFallback(infra) || !cameToNothing(attempt)) return false
  const shown = deps.fleetOf(scopeOfAttempt(pass, attempt), cloud, key).ofToken(attempt.token)
  return shown === undefined || shown.state === 'leftover'
}

/**
 * The attempt was asked for, has no answer, and its offering is closed by now. When nothing can come of it any more,
 * the machine goes on. Undefined: something may.
 */
export async function goOnUnanswered(pass: Pass, ctx: Ctx): Promise<Result | undefined> {
  const { attempt } = pass
  if (!attempt || unsettledBy(pass, attempt, ctx)) return undefined
  return next(pass, { attempt, refusal: nothingCame }, ctx)
}

const nothingCame = new CloudError('transient', {
  code: unanswered,
  message: 'The request had no answer, and nothing came of it.',
})

interface Ended {
  readonly attempt: Attempt
  readonly refusal: CloudError
}

async function next(pass: Pass, ended: Ended, ctx: Ctx): Promise<Result> {
  const { attempt, refusal } = ended
  const unsettled = unsettledBy(pass, attempt, ctx)
  if (unsettled) {
    pass.ready = ending
    return kept(pass, ended, unsettled, ctx)
  }
  if (leftAfter(pass, attempt).length > mostLeft) {
    pass.ready = ending
    return kept(pass, ended, { requeueAfterMs: 5_000, reason: 'too much is left of earlier attempts' }, ctx)
  }
  const at = refusedAt(attempt) ?? rfc3339(ctx.clock.now())
  const { kind, code, message } = refusal
  const walk = walkOf({ ...attempt, refused: { kind, code, message, at } })
  const exclude = excludedAfter(attempt, refusal, ctx.clock.now())
  try {
    const chosen = await choosePlan(pass, { walk, exclude, refusal }, ctx)
    if (chosen.is === 'waiting') return await kept(pass, ended, chosen.next, ctx)
    if (chosen.is === 'hopeless') return await failed(pass, { attempt, refusal: chosen.because }, ctx)
    return await begin(pass, { ...ended, attempt: { ...attempt, exclude }, planned: chosen.planned }, ctx)
  } catch (thrown) {
    endClaim(pass, thrown)
    if (!(thrown instanceof CloudError)) throw thrown
    return kept(pass, ended, lookAgain(pass, thrown, ctx), ctx)
  }
}

async function begin(pass: Pass, { attempt, refusal, planned }: Ended & { planned: Planned }, ctx: Ctx) {
  const left = leftAfter(pass, attempt)
  const { capacityType, instanceType, zone } = planned.plan.offering
  ctx.log.info('Going on with another offering', { refused: refusal.code, capacityType, instanceType, zone })
  // The account may have been corrected since the refusal.
  const before = { ...attempt, scope: scopeOfAttempt(pass, attempt), ...(left.length > 0 ? { left } : {}) }
  await nextAttempt(pass, before, { planned, refusal }, ctx)
  return { requeueAfterMs: 0, reason: 'another offering may be there' }
}

/** With the token of this attempt, if an interface or a disk remains of it. */
export function leftAfter(pass: Pass, attempt: Attempt): readonly string[] {
  const { cloud, deps, key, leavesParts } = pass
  const { token, left = [], refused } = attempt
  const shown = deps.fleetOf(scopeOfAttempt(pass, attempt), cloud, key).ofToken(token)
  const remains = leavesParts || refused?.leavesParts || shown?.state === 'leftover'
  return remains ? [...left, token] : left
}

/** Until the next attempt begins. `Ready` says why it waits, and is no failure. */
async function kept(pass: Pass, { attempt, refusal }: Ended, result: Result, ctx: Ctx): Promise<Result> {
  const { leavesParts } = pass
  if (!attempt.refused) await keepRefusal(pass, { attempt, refusal, isFinal: true, goesOn: true, leavesParts }, ctx)
  return result
}

async function failed(pass: Pass, { attempt, refusal }: Ended, ctx: Ctx): Promise<Result> {
  pass.ready = refusedVerdict(refusal)
  await keepRefusal(pass, { attempt, refusal, isFinal: true }, ctx)
  return 'done'
}

/**
 * Whether an instance of this machine may be there, or may still come. Time alone proves nothing: while lists fail, the
 * last whole list may be older than a call without an answer.
 */
function unsettledBy(pass: Pass, attempt: Attempt, ctx: Ctx): Result | undefined {
  const { cloud, deps, key } = pass
  const fleet = deps.fleetOf(scopeOfAttempt(pass, attempt), cloud, key)
  const soon = { requeueAfterMs: 5_000, reason: 'an instance of this machine may be there' }
  if (!fleet.hasSynced) return soon
  const { owner, for: machine, left: parts = [] } = attempt
  const shown = fleet.ofMachine({ owner, machine }).filter(({ tag }) => !parts.includes(tag?.token ?? ''))
  if (shown.some(({ state }) => state !== 'terminated' && state !== 'leftover')) return soon
  const leftAsOf = (at: number) => {
    const others = deps.pendingCreates.othersLeft(key, attempt.token, at)
    return isOwnOver(attempt) ? others : Math.max(others, deps.pendingCreates.left(key, attempt.token, at))
  }
  if (leftAsOf(fleet.wholeAt) === 0) return undefined
  const left = leftAsOf(ctx.clock.monotonic())
  return { requeueAfterMs: Math.max(left, 5_000), reason: 'an earlier call may still have made an instance' }
}

/** No call with its own token can make an instance: that was sure when the refusal was kept. */
function isOwnOver({ refused }: Attempt): boolean {
  return refused?.isFinal === true
}

/** For so long a subnet that was full is not asked again. */
const fullForMs = 30_000

function excludedAfter(attempt: Attempt, { kind }: CloudError, now: number): readonly string[] {
  const { exclude = [] } = attempt
  const site = siteOf(attempt)
  if (now - (timeOf(refusedAt(attempt)) ?? now) >= fullForMs) return []
  return kind === 'subnet' && site ? [...exclude, site.subnet] : exclude
}

/** Not `False`: remediation would replace the Machine. */
const ending: Verdict<MachineReason> = {
  status: 'Unknown',
  reason: 'Launching',
  message:
    'The cloud refused the instance. The manager removes what is left of it, and then requests another offering.',
}
