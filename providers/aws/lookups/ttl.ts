import { hours, minutes, seconds } from '../../shared/durations.ts'

/** How long what EC2 told us is good for, each with its reason. No other file says so. */
export const ttlMs = {
  /**
   * What EC2 says of an instance type never changes. The day is only there so that types that nobody uses any more go.
   */
  instanceType: 24 * hours,
  /** Likewise of an image: its id is never given to another. */
  image: 24 * hours,
  /** Which zones offer a type changes every few months, when AWS builds; and it only guides a choice. */
  offeredZones: 6 * hours,
  /** A new image is to be taken up soon, and the machines of one scale-up take the same one. */
  newestImage: 5 * minutes,
  /** What filters find hangs on tags: people change them, and expect to see it while they still look. */
  network: 5 * minutes,
  /** Which account keys are of never changes. The day is only there so that old keys are forgotten. */
  account: 24 * hours,
  /** STS did not say: it may be out of reach for good, and every question holds up a call. */
  noAccount: 5 * minutes,
  /** A subnet that was seen stands for "these credentials see this region now". */
  seenSubnet: 10 * seconds,
  /** Nothing found: who then makes it does not wait long, and all machines of a wrong template ask once. */
  nothing: 30 * seconds,
} as const
