import type { Fleets } from '../../providers/fleet/fleets.ts'
import type { Runnable } from '../runtime/process/manager.ts'

/**
 * Each fleet begins with its first user. All end together with the controllers, which may be waiting for their lists.
 */
export function fleetsUntilTheEnd(fleets: Fleets, life: AbortController): Runnable {
  return {
    name: 'Fleets',
    async run({ signal }) {
      const over = Promise.withResolvers<void>()
      const end = () => {
        life.abort(signal.reason)
        over.resolve()
      }
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      await over.promise
      await fleets.ended()
    },
  }
}
