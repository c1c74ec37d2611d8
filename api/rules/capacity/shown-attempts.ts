import type { Attempt } from '../../attempt.ts'
import { rfc3339, timeOf } from '../../conditions.ts'
import { parseOfferingKey, type CapacityType, type Offering } from '../../offering.ts'
import type { MachineReason } from '../../reasons.ts'
import { refusals, type RefusalKind } from '../../refusal.ts'
import { offeringOf } from './chosen.ts'
import { mostTried, unanswered, type Tried } from './tried.ts'

/** One request of a machine, as its status shows it to people. */
export interface ShownAttempt {
  readonly capacityType: CapacityType
  readonly instanceType: string
  /** Left out where the request names none. */
  readonly zone?: string
  readonly result: 'Requested' | 'Accepted' | 'Refused'
  readonly reason?: MachineReason
  readonly code?: string
  readonly at?: string
}

/**
 * The requests of a machine, the newest last. All of it follows from the attempt, so it is the same after a move.
 * Tenants may write another text into an attempt. What the CRD would refuse is left out: a refused status would hold
 * up the machine.
 */
export function shownAttempts(attempt: Attempt): ShownAttempt[] {
  return [...(attempt.tried ?? []).flatMap(refused), ...current(attempt)].slice(-mostTried)
}

function refused({ offering: key, ...refusal }: Tried): ShownAttempt[] {
  const offering = shown(parseOfferingKey(key))
  return offering ? [{ ...offering, ...refusedWith(refusal) }] : []
}

function current(attempt: Attempt): ShownAttempt[] {
  const offering = shown(offeringOf(attempt))
  if (!offering) return []
  if (attempt.refused) return [{ ...offering, ...refusedWith(attempt.refused) }]
  return [{ ...offering, result: attempt.handle === undefined ? 'Requested' : 'Accepted', ...at(attempt.startedAt) }]
}

function refusedWith({ kind, code, at: time }: { kind: RefusalKind; code: string; at?: string }) {
  const reason: MachineReason = code === unanswered ? 'CloudUnavailable' : refusals[kind].failsWith
  return { result: 'Refused', reason, ...(isCode.test(code) ? { code } : {}), ...at(time) } as const
}

function shown(
  offering: Offering | undefined,
): Pick<ShownAttempt, 'capacityType' | 'instanceType' | 'zone'> | undefined {
  if (!offering) return undefined
  const { capacityType, instanceType, zone } = offering
  if (!isName.test(instanceType) || (zone !== '' && !isName.test(zone))) return undefined
  return { capacityType, instanceType, ...(zone === '' ? {} : { zone }) }
}

function at(text: string | undefined): { at?: string } {
  const time = timeOf(text)
  return time === undefined ? {} : { at: rfc3339(time) }
}

/** The names of types and zones in all clouds. */
const isName = /^[\w./-]{1,253}$/
/** The code of a refusal, and no sentence. */
const isCode = /^[\w.:/-]{1,128}$/
