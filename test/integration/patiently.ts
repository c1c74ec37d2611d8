import { eventually } from '../lab/eventually.ts'

/** With four clouds at once core has four times as much to do. What does not come at all comes no later for that. */
export function patiently<T>(what: string, check: () => T | Promise<T>): Promise<T> {
  return eventually(what, check, { timeoutMs: 180_000, everyMs: 200 })
}
