import { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import type { MachineWorld } from './machine-world.ts'

/** What tests of machines with `fallback` do and look at. `world`: that of the present test. */
export function descending(world: () => MachineWorld) {
  return {
    /** The next create calls are refused. */
    refuse: (kind: RefusalKind, times = 1, code = 'InsufficientInstanceCapacity') => {
      const error = new CloudError(kind, { code, message: 'There is none.' })
      for (let nth = 0; nth < times; nth++) world().cloud.createFaults.push({ when: 'before', error })
    },
    asked: () => world().cloud.requests.map(({ capacityType, instanceType }) => [capacityType, instanceType].join(' ')),
    tokens: () => new Set(world().cloud.calls.flatMap(({ call, token }) => (call === 'create' ? [token] : []))),
    /** As often as it asks to be called at once. */
    passes: async (): Promise<unknown> => {
      for (;;) {
        const result = (await world().pass()) as { requeueAfterMs?: number } | 'done'
        if (result === 'done' || result.requeueAfterMs !== 0) return result
      }
    },
  }
}
