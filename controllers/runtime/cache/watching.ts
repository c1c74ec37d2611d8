import type { Cache, Change } from './cache.ts'
import type { Queue } from '../controller/queue.ts'
import type { ObjectMeta } from '../../../api/meta.ts'

/** A source of keys for the queue of a controller. */
export interface Watching {
  /** Adds the keys of all objects and then those of every change. Returns a function that stops it. */
  begin(queue: Queue): () => void
}

/** Objects of the first list wait behind objects that change now. */
const background = -100

/**
 * Calls `keysOf` for every change of an object in this cache. An object of the first list has no `before`. With
 * `afterMs`, changes within that time are handled together.
 */
export function watching<T extends { metadata: ObjectMeta }>(
  cache: Cache<T>,
  keysOf: (change: Pick<Change<T>, 'before' | 'after'>) => Iterable<string>,
  { afterMs = () => 0 }: { readonly afterMs?: (key: string) => number } = {},
): Watching {
  return {
    begin: (queue) => {
      const feed = (change: Pick<Change<T>, 'before' | 'after' | 'initial'>) => {
        for (const key of keysOf(change))
          queue.add(key, { after: afterMs(key), ...(change.initial ? { priority: background } : {}) })
      }
      const stop = cache.onChange(feed)
      for (const after of cache.list()) feed({ after, initial: true })
      return stop
    },
  }
}
