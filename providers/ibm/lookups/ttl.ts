import { hours, minutes, seconds } from '../../shared/durations.ts'

/** How long what IBM Cloud told us is good for, each with its reason. No other file says so. */
export const ttlMs = {
  /** What a profile is never changes; how it is sold, as spot or not, may: an hour after IBM changed it we know. */
  profile: 1 * hours,
  /** A subnet stays in its zone and VPC. The day is only there so that subnets that nobody uses any more go. */
  subnet: 24 * hours,
  /** Images come and are withdrawn, and the machines of one scale-up take the same one. */
  image: 5 * minutes,
  /** Names of keys and security groups: people change them, and expect to see it while they still look. */
  names: 5 * minutes,
  /** A subnet that was seen stands for "this key sees this region now". */
  seenSubnet: 10 * seconds,
  /** Nothing found: who then makes it does not wait long, and all machines of a wrong template ask once. */
  nothing: 30 * seconds,
} as const
