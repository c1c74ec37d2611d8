/**
 * No adapter waits longer for the answer to a call. `controllers/machine/existence/pending-creates.ts` relies on it:
 * nothing comes any more of a call that was given up so long ago.
 */
export const longestCallMs = 30_000

/** No adapter waits longer for a token in the middle of a call. Nothing has been sent then. */
export const longestTokenMs = 15_000

/**
 * How long lists may be without an instance that the cloud has just made. After that its absence means something. A
 * create call and its instance can be forgotten after `longestCallMs` and this together.
 */
export const visibilityGraceMs = 90_000

/**
 * How old the copy can be from which a cloud answers. So a read hides no instance that lists have shown for longer than
 * this.
 */
export const staleReadMs = 30_000
