import type { Cache, Change } from './cache.ts'
import type { AddOptions, Queue } from '../controller/queue.ts'
import type { ObjectMeta } from '../../../api/meta.ts'

/** Something whose changes put keys into a controller's queue. */
export interface Watching {
  /** Begins to feed the queue, with all that is there already; the answer ends it. */
  begin(queue: Queue): () => void
}

/** What was there at the start waits behind what changes now. */
const background = -100

/**
 * The keys to look at when an object of this cache changes; for what was there at the start there is no `before`. With
 * `after`, what comes within that time is looked at together.
 */
export function watching<T extends { metadata: ObjectMeta }>(
  cache: Cache<T>,
  keysOf: (change: Pick<Change<T>, 'before' | 'after'>) => Iterable<string>,
  { after: waitMs = 0 }: Pick<AddOptions, 'after'> = {},
): Watching {
  return {
    begin: (queue) => {
      const feed = (change: Pick<Change<T>, 'before' | 'after' | 'initial'>) => {
        for (const key of keysOf(change))
          queue.add(key, { after: waitMs, ...(change.initial ? { priority: background } : {}) })
      }
      const stop = cache.onChange(feed)
      for (const after of cache.list()) feed({ after, initial: true })
      return stop
    },
  }
}
