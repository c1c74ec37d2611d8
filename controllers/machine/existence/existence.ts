import { cameToNothing } from '../../../api/attempt.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import { staleReadMs } from '../../../providers/wire/limits.ts'
import type { Pass } from '../pass.ts'

/**
 * Whether an instance of this attempt may be there although no read that began `at` this time shows it: one that is
 * still to come of a call without an answer, or a young one that late reads hide. Clouds answer from copies of
 * different age, so that what one read has shown the next may lack.
 */
export function mayStillExist({ attempt, deps, key }: Pass, fleet: Fleet, at: number): boolean {
  if (!attempt || cameToNothing(attempt)) return false
  if (deps.pendingCreates.left(key, attempt.token, at) === 0) return false
  const shownForMs = fleet.shownForMs(attempt.token, at)
  return shownForMs === undefined || shownForMs < staleReadMs
}
