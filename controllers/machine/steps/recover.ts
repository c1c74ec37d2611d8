import { cameToNothing, mostLeft, type Attempt } from '../../../api/attempt.ts'
import { annotations } from '../../../api/labels.ts'
import { rfc3339, type Verdict } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { clusterLabelOf } from '../../../api/machine.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { isOtherAccount } from '../../../providers/shared/account.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import { visibilityGraceMs } from '../../../providers/wire/limits.ts'
import { shownOffering, type Instance } from '../../../api/instance.ts'
import { offeringKey } from '../../../api/offering.ts'
import type { Ownership } from '../../../api/ownership.ts'
import type { Scope } from '../../../api/scope.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { refusals } from '../../../api/refusal.ts'
import { waitingVerdict } from '../../../api/rules/readiness.ts'
import { leftAfter } from '../launch/descend.ts'
import { keepAnswer, keepAttempt, providerIDOf } from '../status/patch.ts'
import type { Pass } from '../pass.ts'
import { scopeOfAttempt } from '../existence/which.ts'
import { notOwned } from './ensure-finalizer.ts'

/**
 * A machine can lose its attempt and still have an instance: etcd was restored from an older copy, or the object was
 * made again from a backup. An instance with our owner id and this machine's name is its instance, and is adopted. A
 * second one would be one too many.
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

/** A machine that waits for the next whole list comes back after this time. */
const listedAgainMs = 5_000

/** Whether the object shows that the cloud was asked. Then there may be an instance, and the finalizer stays. */
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
 * Somebody removed or replaced an attempt of this machine. Its instance may be in no list yet. So for now the machine
 * buys none, and keeps its finalizer. Time alone proves nothing: while lists fail, the last whole list may be older
 * than the attempt.
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
  /** The tokens of refused attempts of which something remains. */
  readonly parts?: readonly string[]
}

async function adopt(
  pass: Pass,
  { left, whose, scope, parts = pass.attempt?.left ?? [] }: Left,
  ctx: Ctx,
): Promise<Result> {
  const unsafe = notOwned(pass)
  if (unsafe) return unsafe
  ctx.log.warn('Adopting the instance of a lost attempt', { instance: left.id })
  // What is adopted is no part of a refused attempt, whatever was noted of it.
  const remains = parts.filter((token) => token !== whose.token)
  const attempt = {
    ...attemptOf(whose, left, { scope, startedAt: rfc3339(ctx.clock.now()) }),
    ...(remains.length > 0 ? { left: remains } : {}),
  }
  await keepAttempt(pass, { attempt, ...providerIDOf(pass, left) }, ctx)
  return 'done'
}

/** A machine with a providerID keeps that instance, alive or not. A machine without one gets an instance that lives. */
function instanceOf({ infra, cloud, cluster }: Pass, shown: readonly Instance[]): Instance | undefined {
  const { providerID } = infra.spec
  if (providerID === undefined) return shown.find(isAlive)
  const clusterName = cluster?.metadata.name ?? clusterLabelOf(infra) ?? ''
  return shown.find((instance) => cloud.providerIDOf(instance, clusterName) === providerID)
}

/** No list shows the instance of the providerID, and without the attempt no call can look for it. */
function missing(pass: Pass, fleet: Fleet, ctx: Ctx): Result {
  const providerID = pass.infra.spec.providerID ?? ''
  const left = visibilityGraceMs - fleet.waitedFor(providerID, ctx)
  // While lists fail, the last good one may be older than the instance.
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
 * The answer to a create was lost, but a list shows the instance. So no call has to be repeated, and it does no harm if
 * the bootstrap data are gone by now.
 */
async function recoverAnswer(pass: Pass, attempt: Attempt, ctx: Ctx): Promise<Result> {
  if (pass.infra.metadata.deletionTimestamp) return 'done'
  if (attempt.refused?.goesOn) return recoverBehind(pass, attempt, ctx)
  if (attempt.handle || attempt.refused) return 'done'
  const { cloud, deps } = pass
  const { for: machine, owner, token } = attempt
  const scope = scopeOfAttempt(pass, attempt)
  const fleet = deps.fleetOf(scope, cloud, pass.key)
  if (!fleet.hasSynced) return awaitFirstList(pass, fleet.trouble)
  const made = fleet.ofToken(token)
  if (!made) return recoverNextAttempt(pass, { attempt, fleet, scope }, ctx)
  // Alive or not: one token, one instance. If only parts are left, the same token takes them up again.
  if (made.state === 'leftover' || !isOwnedBy(made, tagOf({ owner, machine, token }))) return 'done'
  ctx.log.info('Found what came of a create without an answer', { instance: made.id })
  await keepAnswer(pass, { attempt, answer: made }, ctx)
  return 'done'
}

/**
 * A refused attempt that goes on may come from an older copy of etcd. Then the attempts after it are lost, and one of
 * them may have an instance. It is adopted, as soon as nothing is shown of the refused attempt that may be one.
 */
async function recoverBehind(pass: Pass, attempt: Attempt, ctx: Ctx): Promise<Result> {
  const { cloud, deps, key, infra } = pass
  const scope = scopeOfAttempt(pass, attempt)
  const fleet = deps.fleetOf(scope, cloud, key)
  if (!fleet.hasSynced || infra.spec.providerID !== undefined) return 'done'
  const { for: machine, owner, token } = attempt
  const shown = fleet.ofMachine({ owner, machine }).filter(isAlive)
  const made = shown.find(({ tag }) => tag?.token !== token)
  if (!made?.tag || shown.some(({ tag }) => tag?.token === token)) return 'done'
  if (!cameToNothing(attempt) && deps.pendingCreates.left(key, token, fleet.wholeAt) > 0) return 'done'
  const parts = leftAfter(pass, attempt)
  if (parts.length > mostLeft) return { requeueAfterMs: listedAgainMs, reason: 'too much is left of earlier attempts' }
  return adopt(pass, { left: made, whose: { owner, machine, token: made.tag.token }, scope, parts }, ctx)
}

/**
 * The machine has an instance with another token. The attempt comes from an older copy of etcd. It was refused later,
 * and the attempt after it is lost. The instance is adopted as soon as the older attempt can have no instance any more.
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
 * If no list has ever come through, nothing was launched. If none will come without a person, waiting has no end. In
 * both cases a machine with nothing but a finalizer must be able to go. If it has an instance all the same, the sweep
 * ends that when the trouble is mended.
 */
function awaitListToLeave({ infra, infraCluster }: Pass, { trouble }: Fleet): Result {
  const wasListed = infraCluster?.status?.initialization?.provisioned === true
  // With credentials of another account than the pinned one no list comes. With the right ones it will.
  const isFinal = trouble !== undefined && refusals[trouble.kind].action.do !== 'retry' && !isOtherAccount(trouble)
  if (infra.spec.providerID === undefined && (!wasListed || isFinal)) return 'done'
  return { requeueAfterMs: trouble ? 15_000 : 100, reason: 'whether an instance of it is left only a list can tell' }
}

/** Before the first list this machine may already have an instance, so nothing may be launched. */
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

/** The attempt keeps the offering of the instance. When the cloud takes the instance back, that offering is avoided. */
function attemptOf(whose: Ownership, left: Instance, now: { scope: Scope; startedAt: string }): Attempt {
  const { owner, machine, token } = whose
  const bought = shownOffering(left)
  const offering = bought ? { offering: offeringKey(bought) } : {}
  return { for: machine, owner, token, n: 1, handle: left.id, ...offering, ...now }
}
