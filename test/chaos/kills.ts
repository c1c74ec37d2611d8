import { setTimeout as sleep } from 'node:timers/promises'
import type { Hold } from '../simulators/kit/faults/faults.ts'
import { randomFrom } from '../simulators/kit/random.ts'
import type { Point } from './point.ts'

/** The fate of a request that was under way when its sender died. */
type Fate = 'lost' | 'late' | 'done'

export interface Kill {
  readonly point: Point
  readonly fate: Fate
  /** A late request arrives this long after the start of the next manager. */
  readonly lateMs: number
}

/**
 * Each point, before and after the request. Before it, the request is lost, or arrives when its sender is dead, as the
 * seed decides. Order and fates have their own random numbers, so that timing does not change them.
 */
export function inOrder(points: readonly Point[], draw: string): Kill[] {
  const random = randomFrom(draw)
  const delays = randomFrom(`${draw}/delays`)
  const kills = points.flatMap((point): Omit<Kill, 'lateMs'>[] => [
    { point, fate: random() < 0.5 ? 'lost' : 'late' },
    { point, fate: 'done' },
  ])
  return kills
    .map((kill) => ({ kill, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ kill }) => ({ ...kill, lateMs: delays() * 3_000 }))
}

export interface Goal {
  readonly hold: () => Hold
  readonly at: Point['at']
  /** An event that leads there. It is repeated. */
  readonly cause: () => Promise<void>
  /** Calls to the cloud from dead senders. They do not count as coming to the point. */
  readonly stale: Set<number>
}

export interface Patience {
  readonly patienceMs: number
  /** The pause between two events. */
  readonly nudgeMs: number
}

/** Repeats the event until the manager has come to the point. Undefined: it does not come there. */
export async function reach(
  { hold, at, cause, stale }: Goal,
  { patienceMs, nudgeMs }: Patience,
): Promise<Hold | undefined> {
  const isMeant = 'call' in at && at.isMeant ? at.isMeant : () => true
  let held = hold()
  for (let waited = 0; waited < patienceMs; waited += nudgeMs) {
    await cause()
    const over = new AbortController()
    const pause = sleep(nudgeMs, undefined, { signal: over.signal }).catch(() => undefined)
    for (;;) {
      const reachedBy = await Promise.race([held.reached, pause])
      if (!reachedBy) break
      const isFirst = reachedBy.number === 0 || !stale.has(reachedBy.number)
      if (isFirst && isMeant(reachedBy)) {
        over.abort()
        stale.add(reachedBy.number)
        return held
      }
      held.release()
      held = hold()
    }
  }
  held.release()
  return undefined
}
