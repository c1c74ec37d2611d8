import { CloudError } from '../providers/errors.ts'
import type { Instances } from '../providers/instances.ts'
import type { WriteGate } from './runtime/write-gate.ts'

/** How soon it is worth asking again. */
const retryAfterMs = 1_000

/**
 * The same instances, of which none is created or ended while the gate is closed, whoever asks for it. Steps look at the
 * gate themselves, so that they can say what they wait for; this is for the one who forgets.
 */
export function guarded(instances: Instances, gate: WriteGate): Instances {
  const pass = () => {
    const message = gate.closed()
    if (message !== undefined) throw new CloudError('transient', { code: 'WritesHeld', message, retryAfterMs })
  }
  return {
    find: (which, ctx) => instances.find(which, ctx),
    list: (scope, ctx) => instances.list(scope, ctx),
    async create(want, ctx) {
      pass()
      return instances.create(want, ctx)
    },
    async terminate(which, ctx) {
      pass()
      return instances.terminate(which, ctx)
    },
  }
}
