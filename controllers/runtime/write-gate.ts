import type { Cache } from './cache.ts'

/** Why something may not be done now, as a sentence; undefined when nothing speaks against it. */
export type Objection = () => string | undefined

/** Whether a write to a cloud may begin. */
export interface WriteGate {
  /** Why none may begin now. Ask right before the call, with nothing awaited in between. Reads go on all the while. */
  closed(): string | undefined
}

/**
 * No create, terminate or tag call begins while one of these objects:
 * - the **lease**: from its own deadline on another replica may be at work;
 * - a **cache** that has not listed, or whose watch is broken: what we would act on may be gone, paused or somebody else's;
 * - the **API server**, when it does not answer: a connection that died in silence keeps its watch "open" for 90 s.
 *
 * Is a recent answer proof enough? What it proves is that the state was readable seconds ago, not that our copy is whole.
 * For a create that suffices: it comes after a read of the bootstrap Secret and, the first time, a write of the attempt
 * with the version as the precondition, in the same pass. If either fails there is no create; what follows all the same
 * carries the attempt's token, so it makes nothing twice, and the finalizer makes its end ours. A terminate has no such
 * write, but needs none: it rests on a deletionTimestamp, which nothing takes back. What was true when the cache
 * saw it is true in an outage, too; the one exception, an etcd restored from an older copy, takes longer than we need to
 * notice that the API server is away, and then the caches list anew before this opens again.
 */
export function writeGate(objections: readonly Objection[]): WriteGate {
  return {
    closed() {
      for (const objection of objections) {
        const why = objection()
        if (why !== undefined) return why
      }
      return undefined
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
