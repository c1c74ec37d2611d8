/** What the owner of a Machine, its MachineDeployment as a rule, has begun with others of its Machines. */
export interface AheadNow {
  /** How many of them have, or are to have, a replacement beside them. */
  readonly count: number
  /** One of them was planned. */
  readonly isBusy: boolean
}

export interface TurnFacts {
  readonly ahead: AheadNow
  readonly maxAhead: number | undefined
  /** Its MachineSet would make another of the same template. */
  readonly isReplaceable: boolean
  /** Since when the instance runs. Undefined: it has not run yet. */
  readonly runningSince: number | undefined
  readonly minHealthyMs: number
  /** Machines like it failed, and before this time nobody knows better. Undefined: none has. */
  readonly shutUntil: number | undefined
  readonly now: number
}

/** Events wake those that wait. What gives no event, such as a pool that opens, is found after this time. */
const lookAgainMs = 30_000

/**
 * Whether a planned replacement may begin: one at a time, and only where the new instance is likely to come and to stay
 * longer. Otherwise a new instance that is recommended for replacement at once would be replaced at once, for ever.
 * Undefined: it may. A time: it waits, and looks again then.
 */
export function waitsUntil(facts: TurnFacts): number | undefined {
  const { ahead, maxAhead = Infinity, isReplaceable, runningSince, minHealthyMs, shutUntil, now } = facts
  const soon = now + lookAgainMs
  if (runningSince === undefined) return soon
  if (now < runningSince + minHealthyMs) return runningSince + minHealthyMs
  if (ahead.isBusy || ahead.count >= maxAhead || !isReplaceable) return soon
  return shutUntil !== undefined && now < shutUntil ? Math.min(soon, shutUntil) : undefined
}
