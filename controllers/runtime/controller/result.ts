/** What a pass wants of the loop when it did not throw. `after` is in milliseconds; `why` is for the log. */
export type Next = 'done' | { readonly after: number; readonly why: string }

/** The one that is due first; of equals the first. Nothing to wait for is 'done'. */
export function soonest(...nexts: readonly Next[]): Next {
  let first: Next = 'done'
  for (const next of nexts) {
    if (next !== 'done' && (first === 'done' || next.after < first.after)) first = next
  }
  return first
}
