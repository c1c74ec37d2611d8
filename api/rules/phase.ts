import type { Attempt } from '../attempt.ts'

/** How far a machine has come. Its steps switch on it. */
export type Phase =
  /** No attempt is known: none was written yet, or it is lost. */
  | 'unrequested'
  /** An attempt is written; no answer of the cloud is kept. */
  | 'requested'
  /** The attempt was refused for good. Its parts have to go: the cloud shows them, or the next attempt waits for it. */
  | 'leftover'
  /** The attempt was refused for good, and the cloud shows nothing of it. */
  | 'refused'
  /** It has an instance, alive or not. */
  | 'bought'
  /** The object is being deleted. */
  | 'leaving'

export interface PhaseFacts {
  readonly attempt: Pick<Attempt, 'handle' | 'refused'> | undefined
  readonly providerID: string | undefined
  readonly isLeaving: boolean
  /** Whether the cloud shows something of a refused attempt. Asked only for one. */
  readonly isShown: () => boolean
}

export function phaseOf({ attempt, providerID, isLeaving, isShown }: PhaseFacts): Phase {
  if (isLeaving) return 'leaving'
  if (attempt?.refused) return attempt.refused.goesOn || isShown() ? 'leftover' : 'refused'
  if (attempt?.handle !== undefined || providerID !== undefined) return 'bought'
  return attempt ? 'requested' : 'unrequested'
}
