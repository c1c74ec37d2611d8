import { timeOf } from '../../conditions.ts'
import type { CapacityType, Offering } from '../../offering.ts'
import type { Rung } from './rung.ts'
import { triedAt, type Walk } from './tried.ts'

/** What the memory says to this machine about an offering. */
export type Standing =
  | { readonly is: 'open'; readonly isAvoided?: boolean }
  /** `until`: when to look again. Undefined: an event tells it. */
  | { readonly is: 'closed'; readonly until?: number }

export interface RungOfferings {
  readonly rung: Rung
  /** The best first. Empty: the rung can not work for this machine. */
  readonly offerings: readonly Offering[]
}

export interface ChoiceFacts {
  /** In order. */
  readonly rungs: readonly RungOfferings[]
  readonly walk: Walk
  readonly memory: (offering: Offering) => Standing
  /** The machine's first refusal. Before it: the time at which the machine could first ask. `after` counts from it. */
  readonly since: number
  readonly now: number
  /** An offering that refused this machine is not asked again by it before this time, whatever the memory says. */
  readonly restMs: number
  /** The distribution wants this machine in this market. It does not fall to it, so it waits for no `after`. */
  readonly market?: CapacityType
}

type WhichRungs = Pick<ChoiceFacts, 'rungs' | 'walk' | 'market'>

export type Choice =
  | { readonly do: 'ask'; readonly rung: number; readonly offering: Offering }
  /** `until`: when to look again. Undefined: an event tells it. */
  | { readonly do: 'wait'; readonly because: 'closed' | 'yield'; readonly until: number | undefined }
  /** No rung can ever work for this machine. */
  | { readonly do: 'fail' }

/** After so many refusals a machine lets others ask: a launch bucket is small, and there may be many offerings. */
const refusalsInARow = 8
const yieldMs = 15_000

/**
 * The offering that a machine asks for now: the first that it may ask for, in the order of the rungs. One that took an
 * instance back lately comes after all others, and is no reason to wait.
 */
export function chooseOffering(facts: ChoiceFacts): Choice {
  const usable = usableRungs(facts)
  if (usable.length === 0) return { do: 'fail' }
  const yieldsUntil = endOfYield(facts)
  if (yieldsUntil > facts.now) return { do: 'wait', because: 'yield', until: yieldsUntil }
  const candidates = usable.flatMap((one) => candidatesOf(one, facts))
  const askable = candidates.filter(({ from }) => from !== undefined && from <= facts.now)
  const best = askable.find(({ isAvoided }) => !isAvoided) ?? askable[0]
  if (best) return { do: 'ask', rung: best.rung, offering: best.offering }
  const times = candidates.flatMap(({ from = [] }) => from)
  return { do: 'wait', because: 'closed', until: times.length === 0 ? undefined : Math.min(...times) }
}

/** Without those that are invalid. A market is a wish: without a rung of it the machine uses the others. */
export function usableRungs({ rungs, walk, market }: WhichRungs): readonly RungOfferings[] {
  const usable = rungs.filter(({ rung, offerings }) => offerings.length > 0 && !walk.invalid.includes(rung.index))
  const wanted = usable.filter(({ rung }) => rung.capacityType === market)
  return wanted.length > 0 ? wanted : usable
}

interface Candidate {
  readonly rung: number
  readonly offering: Offering
  /** It may be asked for from then on. Undefined: an event tells it. */
  readonly from: number | undefined
  readonly isAvoided: boolean
}

function candidatesOf({ rung, offerings }: RungOfferings, facts: ChoiceFacts): readonly Candidate[] {
  const { walk, memory, now, restMs } = facts
  const readyAt = rungReadyAt(rung, facts)
  return offerings.map((offering) => {
    const standing = memory(offering)
    const last = triedAt(walk, offering, now)
    const restedAt = last === undefined ? now : last + restMs
    const isAvoided = standing.is === 'open' && standing.isAvoided === true
    return { rung: rung.index, offering, from: laterOf(standing, Math.max(readyAt, restedAt), now), isAvoided }
  })
}

/** A clock that was set back must not make the machine wait for the difference, too. */
function rungReadyAt({ afterMs = 0, capacityType }: Rung, { since, now, market }: ChoiceFacts): number {
  return capacityType === market ? now : Math.min(since, now) + afterMs
}

/** A time that is over, of an offering that is closed all the same, tells nothing. */
function laterOf(standing: Standing, at: number, now: number): number | undefined {
  if (standing.is === 'open') return at
  const { until } = standing
  return until === undefined || until <= now ? undefined : Math.max(until, at)
}

function endOfYield({ walk, now }: ChoiceFacts): number {
  const lastAt = timeOf(walk.tried.at(-1)?.at)
  const isDue = walk.triedCount % refusalsInARow === 0
  return isDue && lastAt !== undefined && lastAt <= now ? lastAt + yieldMs : now
}
