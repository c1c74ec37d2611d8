import type { OthersFacts } from './group-facts.ts'
import { afterFailure, afterSuccess, type BackoffGroup, type BackoffTerms } from './backoff-group.ts'
import type { Outcome } from './outcome.ts'
import type { Candidate, Others } from './remediation.ts'

/** A machine failed in a group, or proves that the group is open. */
export type Event = { readonly group: string; readonly at: number } & (
  | { readonly failed: { readonly cameUp: boolean; readonly isOwn: boolean }; readonly terms: BackoffTerms }
  | { readonly requestedAt: number }
)

export interface EventSources {
  readonly machines: readonly Candidate[]
  readonly now: number
  readonly others: Others
  readonly termsOfGroups: ReadonlyMap<string, BackoffTerms>
}

/** In the order of their times. An event of others that is later than now comes from another clock, and is ignored. */
export function eventsOf({ machines, now, others, termsOfGroups }: EventSources): readonly Event[] {
  const own = machines.flatMap(({ outcome, terms }) => eventsOfOne(outcome, terms))
  const heard = [...termsOfGroups].flatMap(([group, terms]) => eventsOfOthers(group, others(group), terms))
  return [...own, ...heard.filter(({ at }) => at <= now)].toSorted((a, b) => a.at - b.at)
}

function eventsOfOne(outcome: Outcome, terms: BackoffTerms): Event[] {
  if (outcome.is !== 'failed' && outcome.is !== 'serving') return []
  const { requestedAt, at } = outcome
  const proven = outcome.is === 'serving' ? outcome.groups : (outcome.proves ?? [])
  const served = requestedAt === undefined ? [] : proven.map((group) => ({ group, at, requestedAt }))
  if (outcome.is === 'serving') return served
  return [...served, { group: outcome.group, at, failed: { cameUp: outcome.cameUp, isOwn: true }, terms }]
}

function eventsOfOthers(group: string, { refusedAt, endedAt, served }: OthersFacts, terms: BackoffTerms): Event[] {
  const failed = (cameUp: boolean) => ({ failed: { cameUp, isOwn: false }, group, terms })
  return [
    ...(served ? [{ group, ...served }] : []),
    ...(refusedAt === undefined ? [] : [{ ...failed(false), at: refusedAt }]),
    ...(endedAt === undefined ? [] : [{ ...failed(true), at: endedAt }]),
  ]
}

/** Failures of others count only in a group in which one of our own machines has failed. */
export function applyEvent(event: Event, groups: Map<string, BackoffGroup>): void {
  const group = groups.get(event.group)
  if ('requestedAt' in event) {
    if (group) groups.set(event.group, afterSuccess(group, event))
    return
  }
  const { at, failed, terms } = event
  if (group || failed.isOwn) groups.set(event.group, afterFailure(group, { at, cameUp: failed.cameUp }, terms))
}
