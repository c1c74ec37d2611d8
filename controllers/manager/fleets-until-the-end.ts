import type { Fleets } from '../../providers/fleet/fleets.ts'
import type { Runnable } from '../runtime/process/manager.ts'

/**
 * Fleets begin with their first user; all end with the controllers, who may be waiting for their lists.
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
