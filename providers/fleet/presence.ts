import type { Instance } from '../../api/instance.ts'

/** What is known of an instance that should exist. */
export type Presence =
  | { is: 'seen'; instance: Instance }
  /** Not in any list yet, and too soon to say more. */
  | { is: 'awaited' }
  /** A complete list should have shown it and did not. Only `confirmGone` makes it gone. */
  | { is: 'missing' }
  /** `asOf`: when the reads that prove it began. What is learnt of it later does not make them newer. */
  | { is: 'gone'; asOf: number }
