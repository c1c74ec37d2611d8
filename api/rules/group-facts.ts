import type { Outcome } from './outcome.ts'

/**
 * What machines have shown of one backoff group (a group), whatever Cluster they belong to. It is made of times alone,
 * each the latest, so it may be told any number of times and in any order, and it depends on nobody's policy.
 */
export interface GroupFacts {
  /** When a machine failed that never came up. */
  readonly refusedAt?: number
  /** When a machine failed that came up and ended soon. */
  readonly endedAt?: number
  readonly served?: Served
}

/** A machine that was asked for then, and serves since. */
export interface Served {
  readonly requestedAt: number
  readonly at: number
}

/** What one who waits sees of all others. */
export interface OthersFacts extends GroupFacts {
  /** When the newest try began of which nothing is known yet. */
  readonly triedSince?: number
}

/** By group. */
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

export function joined(known: GroupFacts = {}, more: GroupFacts = {}): GroupFacts {
  const refusedAt = latest(known.refusedAt, more.refusedAt)
  const endedAt = latest(known.endedAt, more.endedAt)
  const served = newest(known.served, more.served)
  return {
    ...(refusedAt === undefined ? {} : { refusedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(served ? { served } : {}),
  }
}

/** When it last told something. */
export function lastFactAt({ refusedAt = 0, endedAt = 0, served }: GroupFacts): number {
  return Math.max(refusedAt, endedAt, served?.at ?? 0)
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}

/** Only what was asked for after a failure says that the failure is over, so the one that was asked for last counts. */
function newest(a: Served | undefined, b: Served | undefined): Served | undefined {
  if (!a || !b) return a ?? b
  if (a.requestedAt !== b.requestedAt) return a.requestedAt > b.requestedAt ? a : b
  return a.at >= b.at ? a : b
}
