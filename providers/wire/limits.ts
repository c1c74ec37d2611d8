/**
 * No adapter waits longer for the answer to a call. What rests on it: nothing comes any more of a call that was given
 * up so long ago (`controllers/machine/existence/pending-creates.ts`).
 */
export const longestCallMs = 30_000

/** Nor longer for a token, where one is got in the middle of a call. Nothing has been sent then. */
export const longestTokenMs = 15_000
