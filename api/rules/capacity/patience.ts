import { findCondition, timeOf, type Verdict } from '../../conditions.ts'
import type { Machine } from '../../machine.ts'
import { offeringInWords, type Offering } from '../../offering.ts'
import type { MachineReason } from '../../reasons.ts'
import type { BackoffTerms } from '../backoff-group.ts'
import { timeInWords } from '../../sentence.ts'

/** Core sets it when the bootstrap data exists. */
export const bootstrapReady = 'BootstrapConfigReady'

/**
 * Until when a machine without `fallback` waits for its turn; then it asks regardless. The time begins when it could
 * first ask. No write of ours tells that, so it outlives a restart.
 */
export function patientUntil(machine: Machine, { maxMs }: Pick<BackoffTerms, 'maxMs'>): number {
  return couldAskAt(machine) + maxMs
}

/** When it could first ask: it exists, and has its bootstrap data. */
export function couldAskAt({ metadata, status }: Machine): number {
  const ready = findCondition(status?.conditions, bootstrapReady)
  const readyAt = ready?.status === 'True' ? timeOf(ready.lastTransitionTime) : undefined
  return Math.max(timeOf(metadata.creationTimestamp) ?? 0, readyAt ?? 0)
}

/** `Ready` while it waits. It names no time that changes, so that a wait is one write. */
export function heldVerdict(offering: Offering, until: number, now: number): Verdict<MachineReason> {
  const message = `${offeringInWords(offering)} was refused to another Machine. This one requests it when its turn comes, at ${timeInWords(until, now)} UTC at the latest.`
  return { status: 'Unknown', reason: 'CapacityBackoff', message }
}

/** `Ready` of a machine with `fallback`, while the cloud refuses all that it may ask for. */
export function allClosedVerdict(until: number, now: number): Verdict<MachineReason> {
  const message = `The cloud has refused all that this machine may ask for. The manager asks again at ${timeInWords(until, now)} UTC, or when capacity is back.`
  return { status: 'Unknown', reason: 'CapacityBackoff', message }
}
