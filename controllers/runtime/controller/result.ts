/** The result of a pass that did not throw. `reason` is for the log. */
export type Result =
  | 'done'
  | {
      readonly requeueAfterMs: number
      readonly reason: string
      /** Of the key in the queue. Default: 0. */
      readonly priority?: number
    }

/** Returns the result that is due first. 'done' if no result asks for a requeue. */
export function soonestRequeue(...nexts: readonly Result[]): Result {
  let first: Result = 'done'
  for (const next of nexts) {
    if (next !== 'done' && (first === 'done' || next.requeueAfterMs < first.requeueAfterMs)) first = next
  }
  return first
}
