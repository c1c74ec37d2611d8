import type { Attempt } from '../../../api/attempt.ts'
import { annotations } from '../../../api/labels.ts'
import { rfc3339, type Verdict } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { clusterLabelOf } from '../../../api/machine.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { isOtherAccount } from '../../../providers/shared/account.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import { visibilityGraceMs } from '../../../providers/wire/limits.ts'
import type { Instance } from '../../../api/instance.ts'
import type { Ownership } from '../../../api/ownership.ts'
import type { Scope } from '../../../api/scope.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { refusals } from '../../../api/refusal.ts'
import { waitingVerdict } from '../../../api/rules/readiness.ts'
import { keepAnswer, keepAttempt, providerIDOf } from '../status/patch.ts'
import type { Pass } from '../pass.ts'
import { scopeOfAttempt } from '../existence/which.ts'
import { notOwned } from './ensure-finalizer.ts'

/**
 * A machine without its attempt whose instance is there all the same: the annotation was lost (an older copy of etcd,
 * an object made again from a backup). What carries our owner id and this machine's name is its instance; a second one
 * would be one too many.
 */
export async function recover(pass: Pass, ctx: Ctx): Promise<Result> {
  const { attempt, barred } = pass
  if (barred) {
    pass.ready = barred
    pass.isRecovered = !hasAsked(pass)
    return 'done'
  }
  const next = await (attempt ? recoverAnswer(pass, attempt, ctx) : recoverAttempt(pass, ctx))
  pass.isRecovered = next === 'done'
  return next
}

/** Who waits for the next whole list looks so often whether it has come. */
const listedAgainMs = 5_000

/** As far as the object tells: then there may be an instance, and the machine is not let go. */
function hasAsked({ infra }: Pass): boolean {
  return infra.spec.providerID !== undefined || infra.metadata.annotations?.[annotations.attempt] !== undefined
}

async function recoverAttempt(pass: Pass, ctx: Ctx): Promise<Result> {
  const { ownerId, infraCluster, cloud, deps, key, infra, machine } = pass
  const isLeaving = infra.metadata.deletionTimestamp !== undefined
  if (!ownerId || !infraCluster || (!machine && !isLeaving)) return 'done'
  const scope = cloud.scopeOf(infraCluster)
  const fleet = deps.fleetOf(scope, cloud, pass.key)
  if (!fleet.hasSynced) return isLeaving ? awaitListToLeave(pass, fleet) : awaitFirstList(pass, fleet.trouble)
  const left = instanceOf(pass, fleet.ofMachine({ owner: ownerId, machine: key }))
  if (!left?.tag) return infra.spec.providerID === undefined ? awaitLost(pass, fleet, ctx) : missing(pass, fleet, ctx)
  return adopt(pass, { left, whose: { owner: ownerId, machine: key, token: left.tag.token }, scope }, ctx)
}

const lostAttempt: Verdict<MachineReason> = {
  status: 'Unknown',
  reason: 'Launching',
  message:
    'The launch attempt of this machine is lost. The manager adopts its instance if a list shows it. It creates one only when a complete list two minutes later shows none.',
}

/**
 * An attempt stood here that somebody took away or wrote over: what came of it may not be shown by a list yet. Neither
 * is another bought meanwhile, nor is the machine let go. Time alone proves nothing: while lists fail, the last whole
 * one may be from before it.
 */
function awaitLost(pass: Pass, fleet: Fleet, ctx: Ctx): Result {
  const { attempt, deps, key } = pass
  if (deps.pendingCreates.othersLeft(key, attempt?.token, fleet.wholeAt) === 0) return 'done'
  if (pass.infra.metadata.deletionTimestamp === undefined) pass.ready = lostAttempt
  const left = deps.pendingCreates.othersLeft(key, attempt?.token, ctx.clock.monotonic())
  return { requeueAfterMs: Math.max(left, listedAgainMs), reason: 'an instance may still come of a lost attempt' }
}

interface Left {
  readonly left: Instance
  readonly whose: Ownership
  readonly scope: Scope
}

async function adopt(pass: Pass, { left, whose, scope }: Left, ctx: Ctx): Promise<Result> {
  const unsafe = notOwned(pass)
  if (unsafe) return unsafe
  ctx.log.warn('Adopting the instance of a lost attempt', { instance: left.id })
  const attempt = attemptOf(whose, left.id, { scope, startedAt: rfc3339(ctx.clock.now()) })
  await keepAttempt(pass, { attempt, ...providerIDOf(pass, left) }, ctx)
  return 'done'
}

/** What has a providerID is that instance for ever, alive or not; what has none is whatever lives for it. */
function instanceOf({ infra, cloud, cluster }: Pass, shown: readonly Instance[]): Instance | undefined {
  const { providerID } = infra.spec
  if (providerID === undefined) return shown.find(isAlive)
  const clusterName = cluster?.metadata.name ?? clusterLabelOf(infra) ?? ''
  return shown.find((instance) => cloud.providerIDOf(instance, clusterName) === providerID)
}

/** No list shows what the providerID names, and without the attempt nobody can be asked for it. */
function missing(pass: Pass, fleet: Fleet, ctx: Ctx): Result {
  const providerID = pass.infra.spec.providerID ?? ''
  const left = visibilityGraceMs - fleet.waitedFor(providerID, ctx)
  // While lists fail, the last good one may be from before all this.
  if (left > 0 || fleet.trouble)
    return {
      requeueAfterMs: Math.max(left, listedAgainMs),
      reason: 'no list has shown the instance of a lost attempt yet',
    }
  if (pass.infra.metadata.deletionTimestamp === undefined) pass.ready = lostVerdict(providerID)
  return 'done'
}

function lostVerdict(providerID: string): Verdict<MachineReason> {
  return {
    status: 'False',
    reason: 'InstanceGone',
    message:
      `For ${visibilityGraceMs / 1_000} s no list of the account showed an instance of this machine with the ` +
      `providerID ${providerID}, and the annotation with the launch attempt is lost. Replace the Machine.`,
  }
}

/**
 * The answer to a create was lost, but the list shows what came of it: nothing has to be asked again, and the bootstrap
 * data may be gone by now without harm.
 */
async function recoverAnswer(pass: Pass, attempt: Attempt, ctx: Ctx): Promise<Result> {
  if (attempt.handle || attempt.refused || pass.infra.metadata.deletionTimestamp) return 'done'
  const { cloud, deps } = pass
  const { for: machine, owner, token } = attempt
  const scope = scopeOfAttempt(pass, attempt)
  const fleet = deps.fleetOf(scope, cloud, pass.key)
  if (!fleet.hasSynced) return awaitFirstList(pass, fleet.trouble)
  const made = fleet.ofToken(token)
  if (!made) return recoverNextAttempt(pass, { attempt, fleet, scope }, ctx)
  // Alive or not: one token, one instance. What is merely left over is taken up again by the same token.
  if (made.state === 'leftover' || !isOwnedBy(made, tagOf({ owner, machine, token }))) return 'done'
  ctx.log.info('Found what came of a create without an answer', { instance: made.id })
  await keepAnswer(pass, { attempt, answer: made }, ctx)
  return 'done'
}

/**
 * An instance of this machine with another token: the attempt is of an older copy of etcd, was refused since, and the
 * one after it is lost. It is adopted when nothing can come of this one any more.
 */
async function recoverNextAttempt(
  pass: Pass,
  { attempt, fleet, scope }: { attempt: Attempt; fleet: Fleet; scope: Scope },
  ctx: Ctx,
): Promise<Result> {
  const { deps, key } = pass
  const { for: machine, owner, token } = attempt
  const left = fleet.ofMachine({ owner, machine }).find(isAlive)
  if (!left?.tag) return awaitLost(pass, fleet, ctx)
  if (deps.pendingCreates.left(key, token, fleet.wholeAt) > 0) {
    const after = Math.max(deps.pendingCreates.left(key, token, ctx.clock.monotonic()), listedAgainMs)
    pass.ready = {
      status: 'Unknown',
      reason: 'Launching',
      message: `Instance ${left.id} belongs to another launch attempt of this machine. The manager adopts it if a complete list two minutes later shows no instance of the current attempt.`,
    }
    return { requeueAfterMs: after, reason: 'an instance may still come of this attempt' }
  }
  return adopt(pass, { left, whose: { owner, machine, token: left.tag.token }, scope }, ctx)
}

/**
 * Where lists have never come through nothing was launched, and where they will not by themselves nobody can wait for
 * them: who has nothing but a finalizer must be able to go. If there is an instance all the same, the sweep ends it
 * when the trouble is mended.
 */
function awaitListToLeave({ infra, infraCluster }: Pass, { trouble }: Fleet): Result {
  const wasListed = infraCluster?.status?.initialization?.provisioned === true
  // In another account than the one that is pinned nobody can look; with the right credentials somebody can.
  const isFinal = trouble !== undefined && refusals[trouble.kind].action.do !== 'retry' && !isOtherAccount(trouble)
  if (infra.spec.providerID === undefined && (!wasListed || isFinal)) return 'done'
  return { requeueAfterMs: trouble ? 15_000 : 100, reason: 'whether an instance of it is left only a list can tell' }
}

/** Until then nobody knows whether this machine has an instance already, so nothing may be launched. */
function awaitFirstList(pass: Pass, trouble: CloudError | undefined): Result {
  const action = trouble && refusals[trouble.kind].action
  pass.ready =
    trouble && action && action.do !== 'fail'
      ? waitingVerdict(action.reason, trouble)
      : {
          status: 'Unknown',
          reason: 'Launching',
          message: 'Waiting for the first list of the instances in the account.',
        }
  return { requeueAfterMs: trouble ? 15_000 : 100, reason: 'the first list of the account has not come yet' }
}

function isAlive({ state }: Instance): boolean {
  return state !== 'terminated' && state !== 'terminating' && state !== 'leftover'
}

function attemptOf(whose: Ownership, handle: string, now: { scope: Scope; startedAt: string }): Attempt {
  const { owner, machine, token } = whose
  return { for: machine, owner, token, n: 1, handle, ...now }
}
