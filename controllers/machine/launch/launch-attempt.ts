import type { Attempt } from '../../../api/attempt.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { LaunchPlan } from '../../../providers/cloud.ts'
import { isOtherAccount, refuseOtherAccount } from '../../../providers/shared/account.ts'
import { isHeldBack } from '../../../providers/errors.ts'
import type { Launch } from '../../../providers/instances.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { refusals } from '../../../api/refusal.ts'
import type { Instance } from '../../../api/instance.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { keyOf } from '../../runtime/client/resource.ts'
import { beginAnew, beginAttempt, takeOver } from './attempts.ts'
import { keepAnswer, withdrawAttempt } from '../status/patch.ts'
import type { LaunchPass, Pass } from '../pass.ts'
import { lookupBackoffKey } from './after-refusal.ts'
import { askingOf, enter, refuseIfHeld, wasHeld } from './turn.ts'
import { wantedBy } from './wanted.ts'
import { scopeOfAttempt, whichInstance } from '../existence/which.ts'

/** Plans, writes the attempt, calls the cloud, and keeps the answer. Throws the cloud's refusal. */
export async function launchAttempt(pass: LaunchPass, userData: Uint8Array, ctx: Ctx): Promise<Result> {
  const wanted = wantedBy(pass)
  if (!wanted) return 'done'
  const plan = await pass.cloud.plan(wanted, ctx)
  pass.deps.backoff.clear(lookupBackoffKey(pass))
  // The plan may rest on old look-ups, with other credentials.
  if (!pass.attempt && pass.home) refuseOtherAccount(pass.home.account, await pass.cloud.accountOf(pass.home, ctx))
  if (pass.cluster) await pass.deps.launches.load(pass.cluster, ctx)
  const asking = askingOf(pass, plan.offering)
  const held = enter(pass, asking, ctx)
  if (held) return held
  const attempt = await written(pass, plan, ctx)
  try {
    await create(pass, { plan, attempt, userData, refuseIf: refuseIfHeld(pass, asking, ctx) }, ctx)
    return 'done'
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    if (await isToWithdraw(pass, { attempt, refusal: thrown }, ctx)) await withdrawAttempt(pass, ctx)
    throw thrown
  }
}

/** The claim ends with a failed write, because nothing was asked. */
async function written(pass: Pass, plan: LaunchPlan, ctx: Ctx): Promise<Attempt> {
  const { attempt, key, deps, machine } = pass
  try {
    if (!attempt) return await beginAttempt(pass, plan, ctx)
    const isUnsent = attempt.holder === deps.self && deps.pendingCreates.isUnsent(key, attempt.token)
    return await (isUnsent && wasHeld(pass) ? beginAnew(pass, attempt, ctx) : takeOver(pass, attempt, ctx))
  } catch (thrown) {
    if (machine) deps.launches.end(keyOf(machine))
    throw thrown
  }
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
  if (refusal.kind !== 'denied' || !pass.deps.pendingCreates.isUnused(pass.key, attempt.token)) return false
  const which = whichInstance(pass)
  if (isOtherAccount(refusal) || !which) return true
  try {
    return (await pass.cloud.instances.find(which, ctx)) === 'absent'
  } catch (thrown) {
    if (thrown instanceof CloudError) return false
    throw thrown
  }
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
  const created = await whilePending(pass, token, ctx, () =>
    pass.create({ ...wanted, clusterName: cluster?.metadata.name ?? '' }, ctx),
  )
  ctx.log.info('Instance created', { instance: created.id, state: created.state })
  // Always noted as pending: until a list has shown the instance, its absence from a list proves nothing.
  const answer: Instance = { ...created, state: 'pending' }
  deps.fleetOf(scope, cloud, key).note(answer, ctx)
  deps.backoff.clear(key)
  pass.instance = answer
  await keepAnswer(pass, { attempt, answer }, ctx)
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
