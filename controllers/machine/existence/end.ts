import type { Ctx } from '../../../api/ctx.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import { areWritesHeld } from '../../../providers/errors.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import type { TerminateResult, InstanceRef } from '../../../providers/instances.ts'
import type { Instance } from '../../../api/instance.ts'
import { turnAfterMs } from '../../../providers/wire/limiter.ts'
import { isNotFound } from '../../runtime/client/api-error.ts'
import type { EndPass, Pass } from '../pass.ts'
import { hasBeenObserved, mayStillExist } from './existence.ts'
import { unprovenAbsenceOf } from './vanished.ts'

/** Not gone yet: when to ask again, and why not before. */
export type Wait = { readonly requeueAfterMs: number; readonly reason: string } & (
  | { readonly is: 'changed' | 'held' | 'resting' | 'going' | 'empty' }
  | { readonly is: 'refused'; readonly error: CloudError }
)

const changed: Wait = { is: 'changed', requeueAfterMs: 1_000, reason: 'the object is no longer what the cache shows' }
const going: Wait = { is: 'going', requeueAfterMs: 10_000, reason: 'the cloud is ending the instance' }
const notYet: Wait = { is: 'going', requeueAfterMs: 10_000, reason: 'the cloud cannot end the instance yet' }
const empty: Wait = { is: 'empty', requeueAfterMs: 5_000, reason: 'an instance may be there that no read shows yet' }

/** By ourselves: the cloud was not asked, and has refused nothing. */
function held(why: string): Wait {
  return { is: 'held', requeueAfterMs: 1_000, reason: why }
}

export interface ToEnd {
  readonly which: InstanceRef
  /** Whether the object in etcd still wants the instance to end. */
  readonly isWanted: (fresh: InfraMachine) => boolean
}

/** Ends the instance of the attempt and its parts. 'gone': the cloud says that nothing of them is there. */
export async function end(pass: EndPass, { which, isWanted }: ToEnd, ctx: Ctx): Promise<'gone' | Wait> {
  const { cloud, deps } = pass
  const fleet = deps.fleetOf(which.scope, cloud, pass.key)
  const known = fleet.look(which, hasBeenObserved(pass.infra, which.id), ctx)
  // Parts of an instance that is gone may be left. The list then shows them under its token.
  const isSure = known.is === 'gone' && !mayStillExist(pass, fleet, known.asOf)
  if (isSure && !fleet.ofToken(which.tag.token)) return 'gone'
  const ended = known.is === 'seen' ? endOf(known.instance) : undefined
  if (ended) return ended
  const early = tooEarly(pass, ctx)
  if (early) return early
  if (!(await isStill(isWanted, pass, ctx))) return changed
  const requestedAt = ctx.clock.monotonic()
  const answer = await ask(pass, which, ctx)
  if (answer === 'gone') return unproven(pass, { which, fleet, requestedAt }, ctx) ?? 'gone'
  if (answer === 'later') return again(pass, notYet, ctx)
  if (answer !== 'going') return answer
  deps.pendingCreates.ending(pass.key, which.tag.token)
  fleet.hurry()
  return again(pass, going, ctx)
}

/** The reason why the instance may be there although the cloud says that it is not. */
function unproven(
  pass: Pass,
  { which, fleet, requestedAt }: { which: InstanceRef; fleet: Fleet; requestedAt: number },
  ctx: Ctx,
): Wait | undefined {
  const wait = again(pass, empty, ctx)
  if (mayStillExist(pass, fleet, requestedAt)) return wait
  const unproven = unprovenAbsenceOf(pass, { which, fleet }, ctx)
  return unproven && refused(pass, unproven, ctx)
}

function endOf({ state }: Instance): 'gone' | Wait | undefined {
  if (state === 'terminated') return 'gone'
  return state === 'terminating' ? going : undefined
}

/** Every list that still shows a part wakes the machine. The cloud is not faster if it is asked more often. */
function again({ deps, key }: Pass, wait: Wait, { clock }: Ctx): Wait {
  deps.backoff.unfinished(pauseOf(key), { nowMs: clock.monotonic(), atMostMs: wait.requeueAfterMs })
  return wait
}

function tooEarly({ deps, key }: Pass, { clock }: Ctx): Wait | undefined {
  const why = deps.gate.closed()
  if (why !== undefined) return held(why)
  const rest = deps.backoff.rest(pauseOf(key), clock.monotonic())
  return rest > 0
    ? { is: 'resting', requeueAfterMs: rest, reason: 'the cloud was asked a moment ago; it is too early to ask again' }
    : undefined
}

/**
 * Reads etcd right before the call, as a launch does with the bootstrap data. An API server that has lost its etcd
 * keeps our watches open, and in an older copy of etcd this object may not be deleted.
 */
async function isStill(isWanted: ToEnd['isWanted'], { deps, infra }: Pass, ctx: Ctx): Promise<boolean> {
  const { namespace, name, uid } = infra.metadata
  try {
    const fresh = await deps.client.get<InfraMachine>(deps.resource, { namespace, name }, ctx)
    return fresh.metadata.uid === uid && isWanted(fresh)
  } catch (thrown) {
    if (isNotFound(thrown)) return false
    throw thrown
  }
}

async function ask(pass: EndPass, which: InstanceRef, ctx: Ctx): Promise<TerminateResult | Wait> {
  try {
    return await pass.terminate(which, ctx)
  } catch (thrown) {
    if (!(thrown instanceof CloudError) || turnAfterMs(thrown) !== undefined) throw thrown
    if (areWritesHeld(thrown)) return held(thrown.message)
    return refused(pass, thrown, ctx)
  }
}

/**
 * The pause grows with every refusal, even if other events wake the machine meanwhile. The condition says why it waits.
 * Unlike a launch, it never waits minutes for a person, because an instance that has not ended costs money.
 */
function refused({ deps, key }: Pass, error: CloudError, ctx: Ctx): Wait {
  const { code, kind, message: cause } = error
  const now = { nowMs: ctx.clock.monotonic(), atLeastMs: error.retryAfterMs ?? 0 }
  const after = deps.backoff.refused(pauseOf(key), now)
  ctx.log.warn('The cloud refused to end an instance', { code, kind, cause, againInMs: after })
  return { is: 'refused', requeueAfterMs: after, reason: `refused: ${code}`, error }
}

/** Another key than that of the launch: a machine that must not launch yet may end an instance. */
function pauseOf(key: string): string {
  return `${key} end`
}
