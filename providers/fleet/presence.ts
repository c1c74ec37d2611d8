import type { Instance } from '../../api/instance.ts'

/** The state of an instance that should exist, as far as lists show it. */
export type Presence =
  | { is: 'seen'; instance: Instance }
  /** Not in any list yet, and too soon to say more. */
  | { is: 'awaited' }
  /** A complete list should have shown it and did not. Only `confirmGone` makes it gone. */
  | { is: 'missing' }
  /** `asOf`: when the reads that prove it began. */
  | { is: 'gone'; asOf: number }
