import type { View } from './control-plane.ts'
import type { Counts, Journal, RecordedRequest } from '../http/journal.ts'
import { verbsOf, type Verb } from './verb.ts'

/** What a simulated cloud remembers of the calls that it got, in the process. */
export interface RecordControl {
  /** The last calls, in the order in which they came. */
  requests(): readonly RecordedRequest[]
  /** All calls since the start or the last reset, by action and by code. */
  counts(): Counts
  resetCounts(): void
}

export function recordControl(journal: Journal, now: () => number): RecordControl {
  return {
    requests: () => journal.entries,
    counts: () => journal.counts(),
    resetCounts: () => journal.resetCounts(now()),
  }
}

/** The same over HTTP. */
export function recordVerbs(control: RecordControl): readonly Verb[] {
  return [verbsOf(control)('resetCounts', 'counts calls from now on')]
}

export function recordViews(control: RecordControl): Readonly<Record<string, View>> {
  return { requests: () => control.requests(), counts: () => control.counts() }
}
