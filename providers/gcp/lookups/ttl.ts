import { hours, minutes, seconds } from '../../shared/durations.ts'

/** How long each answer of GCE is kept, and why. No other file says so. */
export const ttlMs = {
  /** A machine type never changes, and its zones change every few months; they only guide a choice. */
  machineType: 6 * hours,
  /** Nothing was found. A correction takes effect soon, and all machines of a wrong template ask once. */
  nothing: 30 * seconds,
  /** A region gets a new zone once in years. */
  zones: 24 * hours,
  /** The ends of instances are remembered as long as EC2 shows them. */
  ended: 1 * hours,
  /** After this a delete that has not ended the instance is repeated. */
  deleting: 2 * minutes,
} as const
