import type { Cache, Change } from './cache.ts'
import type { Queue } from './queue.ts'
import type { ObjectMeta } from '../../api/meta.ts'

/** Something whose changes put keys into a controller's queue. */
export interface Watching {
  /** Begins to feed the queue, with all that is there already; the answer ends it. */
  begin(queue: Queue): () => void
}

/** What was there at the start waits behind what changes now. */
const background = -100

/** The keys to look at when an object of this cache changes; for what was there at the start there is no `before`. */
export function watching<T extends { metadata: ObjectMeta }>(
  cache: Cache<T>,
  keysOf: (change: Pick<Change<T>, 'before' | 'after'>) => Iterable<string>,
): Watching {
  return {
    begin: (queue) => {
      const feed = (change: Pick<Change<T>, 'before' | 'after' | 'initial'>) => {
        for (const key of keysOf(change)) queue.add(key, change.initial ? { priority: background } : {})
      }
      const stop = cache.onChange(feed)
      for (const after of cache.list()) feed({ after, initial: true })
      return stop
    },
  }
}
