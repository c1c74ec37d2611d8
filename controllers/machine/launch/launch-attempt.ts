import type { Attempt } from '../../../api/attempt.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { LaunchPlan } from '../../../providers/cloud.ts'
import { isOtherAccount, refuseOtherAccount } from '../../../providers/shared/account.ts'
import { isHeldBack } from '../../../providers/errors.ts'
import type { Launch } from '../../../providers/instances.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { refusals } from '../../../api/refusal.ts'
import type { Instance } from '../../../api/instance.ts'
import { offeringKey } from '../../../api/offering.ts'
import { chosenOf } from '../../../api/rules/capacity/chosen.ts'
import { walkOf } from '../../../api/rules/capacity/walk.ts'
import { hasFallback } from '../../capacity/fallback.ts'
import { soonestRequeue, type Result } from '../../runtime/controller/result.ts'
import { keyOf } from '../../runtime/client/resource.ts'
import { beginAnew, beginAttempt, takeOver, type Planned } from './attempts.ts'
import { choosePlan, isStillFree, type Chosen } from './choose.ts'
import { keepAnswer, keepRefusal, withdrawAttempt } from '../status/patch.ts'
import type { LaunchPass, Pass } from '../pass.ts'
import { goesDown, goOnUnanswered } from './descend.ts'
import { lookupBackoffKey } from './lookup-backoff.ts'
import { askingOf, endClaim, enter, refuseIfHeld, wasHeld } from './turn.ts'
import { wantedBy } from './wanted.ts'
import { scopeOfAttempt, whichInstance } from '../existence/which.ts'

/** Plans, writes the attempt, calls the cloud, and keeps the answer. Throws the cloud's refusal. */
export async function launchAttempt(pass: LaunchPass, userData: Uint8Array, ctx: Ctx): Promise<Result> {
  const prepared = await prepare(pass, ctx)
  if (prepared.is === 'waiting') return prepared.next
  if (prepared.is === 'hopeless') throw prepared.because
  const { planned, asking } = prepared
  const { plan } = planned
  const attempt = await written(pass, planned, ctx)
  try {
    await create(pass, { plan, attempt, userData, refuseIf: refuseIfHeld(pass, asking, ctx) }, ctx)
    return 'done'
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    if (await isToWithdraw(pass, { attempt, refusal: thrown }, ctx))
      await withdraw(pass, { attempt, refusal: thrown }, ctx)
    throw thrown
  }
}

/** With `fallback` it chooses, as long as nothing was sent. Otherwise the specs or the attempt name the offering. */
async function prepare(pass: LaunchPass, ctx: Ctx): Promise<Chosen> {
  const { attempt, cloud, cluster, deps, home, infra } = pass
  if (hasFallback(infra) && isStillFree(pass))
    return choosePlan(pass, { walk: walkOf(attempt), exclude: attempt?.exclude ?? [] }, ctx)
  const wanted = wantedBy(pass)
  if (!wanted) return { is: 'waiting', next: 'done' }
  const plan = await cloud.plan(wanted, ctx)
  deps.backoff.clear(lookupBackoffKey(pass))
  // The plan may rest on old look-ups, with other credentials.
  if (!attempt && home) refuseOtherAccount(home.account, await cloud.accountOf(home, ctx))
  if (cluster) await deps.launches.load(cluster, ctx)
  const asking = askingOf(pass, plan.offering)
  const held = enter(pass, asking, ctx)
  if (held) return { is: 'waiting', next: await heldBy(pass, held, ctx) }
  return { is: 'planned', planned: { plan, rung: wanted.choice?.rung ?? 0 }, asking }
}

/** With `fallback` an attempt that has no answer need not wait for its own offering. */
async function heldBy(pass: LaunchPass, held: Result, ctx: Ctx): Promise<Result> {
  const { attempt, deps, key, infra } = pass
  if (!attempt || !hasFallback(infra)) return held
  const left = deps.pendingCreates.left(key, attempt.token, ctx.clock.monotonic())
  const listed = { requeueAfterMs: left > 0 ? left : 5_000, reason: 'something may come of a call without an answer' }
  return (await goOnUnanswered(pass, ctx)) ?? soonestRequeue(held, listed)
}

async function written(pass: Pass, planned: Planned, ctx: Ctx): Promise<Attempt> {
  const { attempt, deps } = pass
  try {
    if (!attempt) return await beginAttempt(pass, planned, ctx)
    const isAnew = deps.pendingCreates.isUnsent(pass.key, attempt.token) && isToChange(pass, attempt, planned)
    return await (isAnew ? beginAnew(pass, { before: attempt, planned }, ctx) : takeOver(pass, attempt, ctx))
  } catch (thrown) {
    endClaim(pass, thrown)
    throw thrown
  }
}

/** It was held back, or has chosen something else since. */
function isToChange(pass: Pass, attempt: Attempt, { plan, rung }: Planned): boolean {
  if (attempt.holder !== pass.deps.self) return false
  const before = chosenOf(attempt)
  const isSame = before?.rung === rung && offeringKey(before) === offeringKey(plan.offering)
  return wasHeld(pass) || (hasFallback(pass.infra) && !isSame)
}

/**
 * An attempt that only the credentials have refused is withdrawn, because a person may correct them to those of another
 * account, to which the attempt would not fit. It stays if a call may have made something, such as a network interface.
 */
async function isToWithdraw(
  pass: Pass,
  { attempt, refusal }: { attempt: Attempt; refusal: CloudError },
  ctx: Ctx,
): Promise<boolean> {
  if (attempt.left || refusal.kind !== 'denied' || !pass.deps.pendingCreates.isUnused(pass.key, attempt.token))
    return false
  const which = whichInstance(pass)
  if (isOtherAccount(refusal) || !which) return true
  try {
    return (await pass.cloud.instances.find(which, ctx)) === 'absent'
  } catch (thrown) {
    if (thrown instanceof CloudError) return false
    throw thrown
  }
}

/** The machine keeps what it has tried before. Without that it would ask for all of it again. */
async function withdraw(
  pass: Pass,
  { attempt, refusal }: { attempt: Attempt; refusal: CloudError },
  ctx: Ctx,
): Promise<void> {
  if (!hasFallback(pass.infra) || !attempt.tried) return withdrawAttempt(pass, ctx)
  await keepRefusal(pass, { attempt, refusal, isFinal: true, goesOn: true }, ctx)
  if (pass.machine) pass.deps.launches.end(keyOf(pass.machine))
}

interface ToCreate extends Pick<Launch, 'userData' | 'refuseIf'> {
  readonly plan: LaunchPlan
  readonly attempt: Attempt
}

async function create(pass: LaunchPass, { plan, attempt, userData, refuseIf }: ToCreate, ctx: Ctx): Promise<void> {
  const { cloud, cluster, deps, key } = pass
  const { owner, token } = attempt
  const scope = scopeOfAttempt(pass, attempt)
  ctx.log.info('Asking for an instance', { attempt: attempt.n, ...plan.offering })
  const wanted = {
    owner,
    token,
    machine: key,
    scope,
    request: plan.request,
    userData,
    ...(refuseIf ? { refuseIf } : {}),
  }
  const created = await whilePending(pass, token, ctx, async () => {
    const answer = await pass.create({ ...wanted, clusterName: cluster?.metadata.name ?? '' }, ctx)
    refuseWithParts(pass, answer)
    return answer
  })
  ctx.log.info('Instance created', { instance: created.id, state: created.state })
  // Always noted as pending: until a list has shown the instance, its absence from a list proves nothing.
  const answer: Instance = { ...created, state: 'pending' }
  deps.fleetOf(scope, cloud, key).note(answer, ctx)
  deps.backoff.clear(key)
  pass.instance = answer
  await keepAnswer(pass, { attempt, answer }, ctx)
}

/** With `fallback` what remains of a sure no is cleaned beside, because it can be no instance. */
function refuseWithParts(pass: LaunchPass, { state, failure }: Instance): void {
  if (state !== 'leftover' || !failure || !goesDown(pass, failure)) return
  pass.leavesParts = true
  throw failure
}

/** A call without a definite answer may arrive when its caller has given up. */
async function whilePending<T>({ deps, key }: Pass, token: string, ctx: Ctx, call: () => Promise<T>): Promise<T> {
  const asked = deps.pendingCreates.asked(key, token, ctx.clock.monotonic())
  try {
    return await call()
  } catch (thrown) {
    if (thrown instanceof CloudError && isHeldBack(thrown)) asked.heldBack()
    else if (thrown instanceof CloudError && !refusals[thrown.kind].leavesOpen) asked.refused()
    else asked.lost(ctx.clock.monotonic())
    throw thrown
  }
}
