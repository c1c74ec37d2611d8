/** What a pass wants of the loop when it did not throw. `after` is in milliseconds; `why` is for the log. */
export type Result = 'done' | { readonly requeueAfterMs: number; readonly reason: string }

/** The one that is due first; of equals the first. Nothing to wait for is 'done'. */
export function soonestRequeue(...nexts: readonly Result[]): Result {
  let first: Result = 'done'
  for (const next of nexts) {
    if (next !== 'done' && (first === 'done' || next.requeueAfterMs < first.requeueAfterMs)) first = next
  }
  return first
}
