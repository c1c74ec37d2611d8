import type { Ctx } from '../../../api/ctx.ts'
import type { Cache } from '../cache/cache.ts'

/** Why something may not be done now, as a sentence; undefined when nothing speaks against it. */
export type Objection = () => string | undefined

/** Whether a write to a cloud may begin. */
export interface WriteGate {
  /** Why none may begin now. Ask right before the call, with nothing awaited in between. Reads go on all the while. */
  closed(): string | undefined
  /**
   * The same, after the API server has answered at this very moment: an outage shows in `closed` within seconds only.
   */
  proven(ctx: Ctx): Promise<string | undefined>
}

/**
 * No create, terminate or tag call begins while one of these objects:
 * - the **lease**: from its own deadline on another replica may be at work;
 * - a **cache** that has not listed, or whose watch is broken: what we would act on may be gone, paused or somebody
 *   else's;
 * - the **API server**, when it does not answer: a connection that died in silence keeps its watch "open" for 90 s.
 *
 * Is a recent answer proof enough? It proves that etcd could be read then, not that our copy is whole, and an outage
 * can begin right after it. A first create needs no more: the attempt was written the moment before, with the version
 * as the precondition. A create that is asked again comes without such a write, and a terminate always does; between
 * the last answer and such a call seconds may lie, in which the API server went. So for those `proven` asks it once
 * more. What slips through the moment between that answer and the call does no harm: a create carries the attempt's
 * token and its machine our finalizer, and a terminate rests on a deletionTimestamp, which nothing takes back; but for
 * an etcd restored from an older copy, which takes longer than a moment, and after which the caches list anew.
 */
export function writeGate(objections: readonly Objection[], prove: (ctx: Ctx) => Promise<void>): WriteGate {
  const closed = () => {
    for (const objection of objections) {
      const why = objection()
      if (why !== undefined) return why
    }
    return undefined
  }
  return {
    closed,
    async proven(ctx) {
      const why = closed()
      if (why !== undefined) return why
      await prove(ctx)
      return closed()
    },
  }
}

export interface NamedCache {
  readonly kind: string
  readonly cache: Pick<Cache<unknown>, 'hasSynced' | 'connected'>
}

/** Objects while one of them is not whole or not up to date. */
export function unlessConnected(caches: readonly NamedCache[]): Objection {
  return () => {
    for (const { kind, cache } of caches) {
      if (!cache.hasSynced()) return `Not every ${kind} has been listed yet.`
      if (!cache.connected()) return `Changes of ${kind} objects do not reach us at present.`
    }
    return undefined
  }
}

/** Objects while it is not ours for certain. */
export function unlessHeld(lease: { held(): boolean }): Objection {
  return () => (lease.held() ? undefined : 'The lease is not ours for certain; another replica may be at work.')
}
