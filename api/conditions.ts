export type ConditionStatus = 'True' | 'False' | 'Unknown'

/** metav1.Condition. Core asserts these types without a check, so they must be exact. */
export interface Condition {
  type: string
  status: ConditionStatus
  reason: string
  message: string
  lastTransitionTime: string
  observedGeneration?: number
}

/**
 * Status, reason and message of a condition. The time of the last transition follows from the condition that stood
 * there before.
 */
export interface Verdict<Reason extends string = string> {
  status: ConditionStatus
  reason: Reason
  message: string
}

export interface ConditionUpdate extends Verdict {
  type: string
  observedGeneration?: number
}

/**
 * Adds the condition to the list. Keeps lastTransitionTime while the status is the same. Returns the same list if
 * nothing changed, so that nothing is written.
 */
export function setCondition(list: readonly Condition[], update: ConditionUpdate, nowMs: number): readonly Condition[] {
  const before = list.find(({ type }) => type === update.type)
  const after: Condition = {
    ...update,
    lastTransitionTime: before && before.status === update.status ? before.lastTransitionTime : rfc3339(nowMs),
  }
  if (before && same(before, after)) return list
  return before ? list.map((condition) => (condition === before ? after : condition)) : [...list, after]
}

export function findCondition(list: readonly Condition[] | undefined, type: string): Condition | undefined {
  return list?.find((condition) => condition.type === type)
}

/** Without milliseconds: core truncates to seconds, so a finer time would differ for ever. */
export function rfc3339(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z')
}

const year10000 = Date.UTC(10_000, 0)

/**
 * Reads the format of rfc3339. Undefined for all else: an API server accepts texts that no clock can read, and NaN
 * would spread into every computation.
 */
export function timeOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '')
  return ms >= 0 && ms < year10000 ? ms : undefined
}

function same(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observedGeneration === b.observedGeneration
  )
}
