import type { Outcome } from './outcome.ts'

/**
 * The facts about one backoff group, as machines of all Clusters have shown them. Only the latest times count, so facts
 * may arrive in any order and more than once. They depend on no policy.
 */
export interface GroupFacts {
  /** The time at which a machine failed without coming up. */
  readonly refusedAt?: number
  /** The time at which a machine failed that had come up and ended soon. */
  readonly endedAt?: number
  readonly served?: Served
  /** It took an instance back, so until then it is not the first choice. It refuses nothing. */
  readonly avoidedUntil?: number
}

/** A machine that was requested at `requestedAt` and runs since `at`. */
export interface Served {
  readonly requestedAt: number
  readonly at: number
}

/** The facts of one group as one waiting policy sees them. */
export interface OthersFacts extends GroupFacts {
  /** The time at which the newest try without a result began. */
  readonly triedSince?: number
}

/** By name of the group. */
export function factsOf(outcomes: Iterable<Outcome>): Map<string, GroupFacts> {
  const facts = new Map<string, GroupFacts>()
  const tell = (group: string, more: GroupFacts) => facts.set(group, joined(facts.get(group), more))
  for (const outcome of outcomes) {
    if (outcome.is !== 'failed' && outcome.is !== 'serving') continue
    const { requestedAt, at } = outcome
    const proven = outcome.is === 'serving' ? outcome.groups : (outcome.proves ?? [])
    if (requestedAt !== undefined) for (const group of proven) tell(group, { served: { requestedAt, at } })
    if (outcome.is === 'failed') tell(outcome.group, outcome.cameUp ? { endedAt: at } : { refusedAt: at })
  }
  return facts
}

/** Facts of two sources, by name of the group. */
export function joinedByGroup(
  one: ReadonlyMap<string, GroupFacts>,
  other: ReadonlyMap<string, GroupFacts>,
): Map<string, GroupFacts> {
  const facts = new Map(one)
  for (const [group, more] of other) facts.set(group, joined(facts.get(group), more))
  return facts
}

export function joined(known: GroupFacts = {}, more: GroupFacts = {}): GroupFacts {
  const refusedAt = latest(known.refusedAt, more.refusedAt)
  const endedAt = latest(known.endedAt, more.endedAt)
  const served = newest(known.served, more.served)
  const avoidedUntil = latest(known.avoidedUntil, more.avoidedUntil)
  return {
    ...(refusedAt === undefined ? {} : { refusedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(served ? { served } : {}),
    ...(avoidedUntil === undefined ? {} : { avoidedUntil }),
  }
}

/** The time of the newest fact. */
export function lastFactAt({ refusedAt = 0, endedAt = 0, served, avoidedUntil = 0 }: GroupFacts): number {
  return Math.max(refusedAt, endedAt, served?.at ?? 0, avoidedUntil)
}

/**
 * Until when nobody should launch there without need: for the longest pause after the last failure, unless a machine
 * that was requested later runs. Undefined: no failure is known that counts.
 */
export function shutUntil(
  { refusedAt = 0, endedAt = 0, served }: GroupFacts,
  longestPauseMs: number,
): number | undefined {
  const failedAt = Math.max(refusedAt, endedAt)
  const isOver = served !== undefined && served.requestedAt > failedAt && served.at > failedAt
  return failedAt === 0 || isOver ? undefined : failedAt + longestPauseMs
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}

/** Only a machine that was requested after a failure proves that it is over. So the newest request counts. */
function newest(a: Served | undefined, b: Served | undefined): Served | undefined {
  if (!a || !b) return a ?? b
  if (a.requestedAt !== b.requestedAt) return a.requestedAt > b.requestedAt ? a : b
  return a.at >= b.at ? a : b
}
