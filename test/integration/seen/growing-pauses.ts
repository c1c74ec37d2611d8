import { expect } from 'vitest'
import type { RecordedRequest } from '../../simulators/kit/http/journal.ts'

/** The first pause is a second, minus up to half by jitter. It doubles, up to a minute. */
const leastMs = 500
const mostMs = 30_000
/** The time of a call is measured on arrival. */
const toleranceMs = 100

/** A refused call is repeated after growing pauses, whatever triggers a reconcile meanwhile: no hot loop. */
export function expectGrowingPauses(requests: readonly RecordedRequest[]): void {
  const refused = requests.filter(({ answer }) => answer?.code !== undefined)
  const same = Map.groupBy(refused, ({ action, params }) => `${action} ${JSON.stringify(params)}`)
  const hasty = [...same].flatMap(([what, calls]) => {
    const pauses = calls.slice(1).map(({ at }, before) => at - (calls[before]?.at ?? 0))
    const isHasty = pauses.some((ms, n) => ms < Math.min(mostMs, leastMs * 2 ** n) - toleranceMs)
    return isHasty ? [`${what}: again after ${pauses.join(', ')} ms`] : []
  })
  expect(hasty).toEqual([])
}
