import { hours, minutes, seconds } from '../../shared/durations.ts'

/** How long each answer of EC2 is kept, and why. No other file says so. */
export const ttlMs = {
  /** An instance type never changes. After a day without use it is forgotten. */
  instanceType: 24 * hours,
  /** An image never changes either: its id is never given to another. */
  image: 24 * hours,
  /** The zones of a type change every few months, and they only guide a choice. */
  offeredZones: 6 * hours,
  /** A new image is taken up soon, and the machines of one scale-up take the same one. */
  newestImage: 5 * minutes,
  /** Filters find subnets and groups by their tags. People change tags, and expect to see the effect at once. */
  network: 5 * minutes,
  /** The account of a key never changes. After a day an old key is forgotten. */
  account: 24 * hours,
  /** STS did not tell the account. It may be out of reach for good, and every question delays a call. */
  noAccount: 5 * minutes,
  /** A subnet that was seen stands for "these credentials see this region now". */
  seenSubnet: 10 * seconds,
  /** Nothing was found. A correction takes effect soon, and all machines of a wrong template ask once. */
  nothing: 30 * seconds,
} as const
