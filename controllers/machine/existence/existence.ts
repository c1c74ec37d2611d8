import { cameToNothing, type Attempt } from '../../../api/attempt.ts'
import { requests } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import { longestCallMs, staleReadMs, visibilityGraceMs } from '../../../providers/wire/limits.ts'
import type { Pass } from '../pass.ts'

/**
 * For so long an instance may still come of a call without an answer. A call that its caller gave up arrives within the
 * time that callers wait, and what it makes is shown within the time by which lists may lag.
 */
export const mayComeForMs = longestCallMs + visibilityGraceMs

/**
 * Whether an instance of this attempt may exist although no read that began `at` this time shows it. It may still come
 * of a call without an answer, or be so young that late reads hide it. Clouds answer from copies of different age, so
 * one read may lack what another has shown.
 */
export function mayStillExist({ attempt, deps, key }: Pass, fleet: Fleet, at: number): boolean {
  if (!attempt || cameToNothing(attempt)) return false
  if (deps.pendingCreates.left(key, attempt.token, at) === 0) return false
  const shownForMs = fleet.shownForMs(attempt.token, at)
  return shownForMs === undefined || shownForMs < staleReadMs
}

/**
 * Whether a list, or an answer other than that of the create call, has shown the instance: only then its absence means
 * something. One that has run may be called pending again (restarted, or failed on IBM), so its state alone does not
 * tell; nor does the providerID, which EC2 gives with the answer to the create call.
 */
export function hasBeenObserved(infra: InfraMachine, handle: string | undefined): boolean {
  const { initialization, instanceState } = infra.status ?? {}
  if (initialization?.provisioned === true) return true
  return instanceState !== undefined && instanceState !== 'pending' && isOfAttempt(infra, handle)
}

/**
 * Whether it is enough that the cloud does not show the instance. The cloud may have forgotten what it has shown as
 * terminated; of what it refused at once there is nothing.
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
