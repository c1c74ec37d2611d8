import { rfc3339, timeOf } from '../../conditions.ts'
import { offeringKey, parseOfferingKey, type CapacityType, type Offering, type OfferingKey } from '../../offering.ts'
import { refusalKindOf, type RefusalKind } from '../../refusal.ts'
import { afterFailure, wholeSecond, type BackoffGroup, type BackoffTerms } from '../backoff-group.ts'
import { groupsClosedBy, termsOfGroup, type Asked, type Reach } from './what-closes.ts'

/** A refused attempt, as the attempts after it remember it. Tenants may write another text. */
export interface Tried {
  readonly offering: OfferingKey
  readonly rung: number
  readonly kind: RefusalKind
  readonly code: string
  readonly at: string
}

/** What a machine has tried. It is a part of its attempt, so it outlives a restart and `clusterctl move`. */
export interface Walk {
  /** The newest last. */
  readonly tried: readonly Tried[]
  /** How many there were in all. */
  readonly triedCount: number
  /** The time that `after` of a rung counts from. */
  readonly firstRefusedAt?: string
  /** The rungs that can never work for this machine. */
  readonly invalid: readonly number[]
}

export const untried: Walk = { tried: [], triedCount: 0, invalid: [] }

/** The attempt is an annotation, so it stays short. */
export const mostTried = 16

export interface Refusal {
  readonly offering: Offering
  readonly rung: number
  readonly kind: RefusalKind
  readonly code: string
}

/** The walk after this refusal. */
export function afterTry(walk: Walk, { offering, ...refusal }: Refusal, now: number): Walk {
  const { rung, kind } = refusal
  const code = refusal.code.slice(0, longestText)
  const at = rfc3339(now)
  return {
    tried: [...walk.tried, { ...refusal, code, offering: offeringKey(offering), at }].slice(-mostTried),
    triedCount: walk.triedCount + 1,
    firstRefusedAt: walk.firstRefusedAt ?? at,
    invalid: kind === 'invalid' ? [...new Set([...walk.invalid, rung])] : walk.invalid,
  }
}

/** When this machine was refused this offering last. Undefined: it was not, or only by a clock that is ahead. */
export function triedAt({ tried }: Walk, offering: Offering, now: number): number | undefined {
  const key = offeringKey(offering)
  const times = tried.flatMap((one) => (one.offering === key ? (timeOf(one.at) ?? []) : []))
  const known = times.filter((at) => at <= now)
  return known.length === 0 ? undefined : Math.max(...known)
}

/** Whether a value of an annotation is a refused attempt. A newer version may have kinds that this one lacks. */
export function isTried(value: unknown): value is Tried {
  if (typeof value !== 'object' || value === null) return false
  const { offering, rung, kind, code, at } = value as Readonly<Record<string, unknown>>
  const texts = [offering, kind, code, at]
  if (!texts.every((text) => typeof text === 'string' && text.length <= longestText)) return false
  const isRung = Number.isSafeInteger(rung) && (rung as number) >= 0
  return isRung && parseOfferingKey(offering as string) !== undefined && timeOf(at as string) !== undefined
}

const longestText = 256

/** The code of an attempt that had no answer, and of which nothing came. It says nothing about the offering. */
export const unanswered = 'Unanswered'

/** A refusal as a backoff group learns of it. */
export interface Told {
  readonly groups: readonly string[]
  readonly at: number
  readonly terms: BackoffTerms
}

/** How the refusals of one machine are told. All of it follows from its spec, its policy and the table of its cloud. */
export interface Telling {
  readonly asked: (offering: Offering) => Asked
  /** How far a refusal with this code of the cloud reaches. */
  readonly reachOf: (code: string, capacityType: CapacityType) => Reach
  readonly terms: BackoffTerms
  readonly now: number
}

/** What a walk tells. A time that is later than now comes from another clock, and waits until it has come. */
export function toldBy({ tried }: Pick<Walk, 'tried'>, { asked, reachOf, terms, now }: Telling): readonly Told[] {
  return tried.flatMap(({ offering: key, kind, code, at: text }) => {
    const offering = parseOfferingKey(key)
    const at = timeOf(text)
    if (!offering || at === undefined || at > now) return []
    const reach = reachOf(code, offering.capacityType)
    const refused = { ...asked(offering), kind: refusalKindOf(kind), reach }
    return [{ groups: groupsClosedBy(refused), at: wholeSecond(at), terms }]
  })
}

/**
 * The groups after these refusals. Each may be told again, and machines may tell in any order, as long as each tells
 * its own from the oldest on: the same groups come of it.
 */
export function learn(
  groups: ReadonlyMap<string, BackoffGroup>,
  told: readonly Told[],
): ReadonlyMap<string, BackoffGroup> {
  const learnt = new Map(groups)
  for (const { groups: names, at, terms } of told.toSorted((a, b) => a.at - b.at)) {
    for (const name of names) {
      learnt.set(name, afterFailure(learnt.get(name), { at, cameUp: false }, termsOfGroup(name, terms)))
    }
  }
  return learnt
}
