import { hours, minutes, seconds } from '../../shared/durations.ts'

/** How long each answer of IBM Cloud is kept, and why. No other file says so. */
export const ttlMs = {
  /**
   * The hardware of a profile never changes, but its classes may, for example spot. A change is known after an hour.
   */
  profile: 1 * hours,
  /** A subnet stays in its zone and VPC. After a day without use it is forgotten. */
  subnet: 24 * hours,
  /** Images are published and withdrawn, and the machines of one scale-up take the same one. */
  image: 5 * minutes,
  /** Names of keys and security groups. People change them, and expect to see the effect at once. */
  names: 5 * minutes,
  /** A subnet that was seen stands for "this key sees this region now". */
  seenSubnet: 10 * seconds,
  /** Nothing was found. A correction takes effect soon, and all machines of a wrong template ask once. */
  nothing: 30 * seconds,
} as const
