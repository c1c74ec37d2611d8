import { cameToNothing, type Attempt } from '../../../api/attempt.ts'
import { requests } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import { longestCallMs, staleReadMs, visibilityGraceMs } from '../../../providers/wire/limits.ts'
import type { Pass } from '../pass.ts'

/**
 * For this long a call without an answer may still make an instance that lists show later. A call that its caller gave
 * up arrives within the time that callers wait, and lists show its instance within the time by which they may lag.
 */
export const mayComeForMs = longestCallMs + visibilityGraceMs

/**
 * Whether an instance of this attempt may exist although no read that began `at` this time shows it. A call without an
 * answer may still make it, or it may be so young that late reads hide it. Clouds answer from copies of different age,
 * so one read may lack an instance that another read has shown.
 */
export function mayStillExist({ attempt, deps, key }: Pass, fleet: Fleet, at: number): boolean {
  if (!attempt || cameToNothing(attempt)) return false
  if (deps.pendingCreates.left(key, attempt.token, at) === 0) return false
  const shownForMs = fleet.shownForMs(attempt.token, at)
  return shownForMs === undefined || shownForMs < staleReadMs
}

/**
 * Whether a list, or an answer other than that of the create call, has shown the instance: only then its absence means
 * something. The state alone does not tell: an instance that has run may be pending again (restarted, or failed on
 * IBM). The providerID does not tell either: EC2 gives it with the answer to the create call.
 */
export function hasBeenObserved(infra: InfraMachine, handle: string | undefined): boolean {
  const { initialization, instanceState } = infra.status ?? {}
  if (initialization?.provisioned === true) return true
  return instanceState !== undefined && instanceState !== 'pending' && isOfAttempt(infra, handle)
}

/**
 * Whether it is enough that the cloud does not show the instance. The cloud may have forgotten an instance that it has
 * shown as terminated. A launch that it refused at once made none.
 */
export function needsNoProof(infra: InfraMachine, attempt: Attempt): boolean {
  const isTerminated = infra.status?.instanceState === 'terminated' && isOfAttempt(infra, attempt.handle)
  return isConfirmedGone(infra) || isTerminated || cameToNothing(attempt)
}

/** A person says that the instance of this machine is gone. */
export function isConfirmedGone({ metadata }: Pick<InfraMachine, 'metadata'>): boolean {
  return metadata.annotations?.[requests.confirmGone] !== undefined
}

/** Whether the status speaks of this instance, and not of that of an attempt before. */
function isOfAttempt({ status }: InfraMachine, handle: string | undefined): boolean {
  return handle !== undefined && status?.instanceID === handle
}
