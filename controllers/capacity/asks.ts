import { offeringKey, type Offering } from '../../api/offering.ts'
import type { Ask } from '../../api/rules/capacity/admission.ts'
import type { Standing } from './claims.ts'
import type { Subject } from './subjects.ts'

/** An ask that is known, and the groups in which it counts. */
export interface AskIn extends Ask {
  readonly isIn: (group: string) => boolean
}

/** The ask that the objects of a machine show. */
export function askOf({ key, owner, outcome }: Subject): AskIn | undefined {
  if (outcome.is !== 'underWay' && outcome.is !== 'serving') return undefined
  const { requestedAt: at, groups } = outcome
  return { machine: key, owner, at, isSettled: outcome.is === 'serving', isIn: (group) => groups.includes(group) }
}

/** The attempt for what it claimed shows, and from now on it counts; or there is a result. */
export function isOver({ at, asking }: Standing, { outcome, offering }: Subject): boolean {
  if (outcome.is !== 'underWay') return outcome.is === 'serving' || outcome.is === 'over'
  return offering !== undefined && isSameOffering(offering, asking.asked.offering) && outcome.requestedAt >= at
}

export function isSameOffering(one: Offering, other: Offering): boolean {
  return offeringKey(one) === offeringKey(other)
}
