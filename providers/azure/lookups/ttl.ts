import { hours, seconds } from '../../shared/durations.ts'

/** How long what Azure told us is good for, each with its reason. No other file says so. */
export const ttlMs = {
  /** What Azure says of a size never changes, and one list has them all; new ones appear now and then. */
  instanceTypes: 24 * hours,
  /** Nothing found: who has just been given access does not wait long. */
  nothing: 30 * seconds,
} as const
