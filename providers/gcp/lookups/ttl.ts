import { hours, minutes, seconds } from '../../shared/durations.ts'

/** How long what GCE told us is good for, each with its reason. No other file says so. */
export const ttlMs = {
  /**
   * What GCE says of a machine type never changes, and where it is offered every few months; and it only guides a
   * choice.
   */
  machineType: 6 * hours,
  /** Nothing found: who then corrects the name does not wait long, and all machines of a wrong template ask once. */
  nothing: 30 * seconds,
  /** A region gets a zone once in years. */
  zones: 24 * hours,
  /** What GCE shows of the ends of instances is remembered as long as EC2 shows ended ones. */
  ended: 1 * hours,
  /** A delete that has not ended the instance after this is asked for again. */
  deleting: 2 * minutes,
} as const
