import type { Ctx } from '../../../api/ctx.ts'
import type { Cache } from '../cache/cache.ts'

/** Returns the reason why something may not be done now, as a sentence. Undefined: it may be done. */
export type Objection = () => string | undefined

/** Whether a write to a cloud may begin. */
export interface WriteGate {
  /**
   * The reason why no write may begin now. Check it right before the call, with no await in between. Reads are always
   * allowed.
   */
  closed(): string | undefined
  /** The same, after the API server has answered just now: `closed` shows an outage only after some seconds. */
  proven(ctx: Ctx): Promise<string | undefined>
}

/**
 * No create, terminate or tag call begins while one of these objects:
 * - the **lease**: after its deadline another replica may be active;
 * - a **cache** that has not listed or whose watch is broken: the object may be gone, paused or another's;
 * - the **API server** when it does not answer: a dead connection keeps its watch "open" for 90 s.
 *
 * Is a recent answer enough? It proves that etcd could be read then. It does not prove that our copy is complete, and
 * an outage can begin right after it. A first create needs no more: the attempt was written just before, with the
 * version as the precondition. A repeated create has no such write before it, and a terminate never has. Seconds may
 * lie between the last answer and such a call. So for those two `proven` sends one more request.
 *
 * A call that slips through after that answer is harmless. A create carries the attempt's token, and its machine has
 * our finalizer. A terminate depends on a deletionTimestamp, which nothing removes except a restore of etcd from an
 * older copy. A restore takes longer than a moment, and after it the caches list again.
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

/** Objects while a cache has not listed everything or its watch is broken. */
export function unlessConnected(caches: readonly NamedCache[]): Objection {
  return () => {
    for (const { kind, cache } of caches) {
      if (!cache.hasSynced()) return `Not every ${kind} has been listed yet.`
      if (!cache.connected()) return `Changes of ${kind} objects do not reach us at present.`
    }
    return undefined
  }
}

/** Objects while the lease is not certainly ours. */
export function unlessHeld(lease: { held(): boolean }): Objection {
  return () => (lease.held() ? undefined : 'The lease is not ours for certain; another replica may be at work.')
}
