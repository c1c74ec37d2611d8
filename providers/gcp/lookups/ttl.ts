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
} as const

/** What GCE shows of the ends of instances is remembered as long as EC2 shows ended ones. */
export const endedForMs = 1 * hours

/** How often and for how long the operations are asked why an instance is no longer what it was. */
export const askingMs = {
  /** So long with every list: an operation may be seen later than what it did. */
  often: 1 * minutes,
  /** Then so far apart. */
  pause: 30 * seconds,
  /** Then no more: nobody will tell. */
  atMost: 5 * minutes,
} as const

/** A delete that has not ended the instance after this is asked for again. */
export const deletingForMs = 2 * minutes
