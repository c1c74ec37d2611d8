import { hours, seconds } from '../../shared/durations.ts'

/** How long each answer of Azure is kept, and why. No other file says so. */
export const ttlMs = {
  /** A size never changes, and one list has them all; new sizes appear now and then. */
  instanceTypes: 24 * hours,
  /** Nothing was found. A new permission takes effect soon. */
  nothing: 30 * seconds,
} as const
