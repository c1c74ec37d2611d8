import type { Ctx } from '../../api/ctx.ts'
import { writesHeld } from '../errors.ts'
import type { Instances } from '../instances.ts'

/** Says whether writes may go out now. */
export interface Gate {
  /** Why nothing may be written; undefined right after the API server has answered. */
  proven(ctx: Ctx): Promise<string | undefined>
}

/**
 * The same instances. While the gate is closed, no caller creates or ends one. Each create and terminate comes right
 * after an answer of the API server. Steps look at the gate themselves, so that a condition can say why they wait.
 */
export function guarded(instances: Instances, gate: Gate): Instances {
  const pass = async (ctx: Ctx) => {
    const message = await gate.proven(ctx)
    if (message !== undefined) throw writesHeld(message)
  }
  return {
    find: (which, ctx) => instances.find(which, ctx),
    list: (scope, ctx) => instances.list(scope, ctx),
    async create(want, ctx) {
      await pass(ctx)
      return instances.create(want, ctx)
    },
    async terminate(which, ctx) {
      await pass(ctx)
      return instances.terminate(which, ctx)
    },
  }
}
