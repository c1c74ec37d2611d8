import { fittingBackoff, type Backoff } from '../../api/rules/backoff-annotation.ts'
import { afterFailure, type BackoffGroup, type BackoffTerms } from '../../api/rules/backoff-group.ts'
import { knownGroups, noGroups, type KnownGroups } from '../../api/rules/capacity/what-closes.ts'
import { joined, lastFactAt, shutUntil, type GroupFacts, type OthersFacts } from '../../api/rules/group-facts.ts'

/** A group without new facts for this long belongs to no machine any more. */
const unusedForMs = 24 * 60 * 60_000

/**
 * Bounds the memory, because names of groups contain text of tenants (a label, the name of a template). The oldest
 * groups go. A group that a machine still uses comes back with the next pass over its Cluster.
 */
const mostGroups = 10_000

/** The Machines of one Cluster with one policy. */
export interface Waiter {
  readonly cluster: string
  readonly policyKey: string
}

/** The groups that a waiter waits in and tries. */
export interface Waiting {
  readonly waitsIn: ReadonlySet<string>
  /** By group, the time at which it began a try that has no result yet. */
  readonly tries: ReadonlyMap<string, number>
}

/** The name under which a Cluster keeps what it knows of a group, and no other Cluster learns of. */
export function inClusterAlone(cluster: string, group: string): string {
  return `of ${cluster} ${group}`
}

interface Told {
  readonly group: string
  readonly at: number
  readonly terms: BackoffTerms
}

/**
 * Remembers launches and refusals for the machine controller and the remediation controller. The facts about every
 * offering, quota and template come from the machines of all Clusters, because these share the capacity of an account.
 * They come from machines and never from annotations, so that no text of a tenant reaches another tenant. The backoff
 * groups belong to one Cluster and policy, which computes its own pauses from the facts.
 */
export class CapacityMemory {
  readonly #facts = new Map<string, GroupFacts>()
  readonly #waiting = new Map<string, Waiter & Waiting>()
  /** The Clusters whose machines have told theirs. */
  readonly #heard = new Set<string>()
  /** By Cluster. Empty until it is loaded. */
  readonly #backoff = new Map<string, Backoff>()
  readonly #loads = new Map<string, Promise<void>>()
  readonly #known = new WeakMap<object, KnownGroups>()
  readonly #requeue: (cluster: string) => void

  /** `requeue` gets each Cluster that waits in a changed group, except the Cluster that changed it. */
  constructor(requeue: (cluster: string) => void) {
    this.#requeue = requeue
  }

  /** Loads the backoff of a Cluster once. Callers that come meanwhile wait for the same load. */
  async load(cluster: string, read: () => Promise<Backoff>): Promise<void> {
    if (!this.isLoaded(cluster)) await (this.#loads.get(cluster) ?? this.#begin(cluster, read))
  }

  isLoaded(cluster: string): boolean {
    return this.#backoff.has(cluster)
  }

  #begin(cluster: string, read: () => Promise<Backoff>): Promise<void> {
    const isCurrent = () => this.#loads.get(cluster) === load
    const load: Promise<void> = read()
      .then((backoff) => void (isCurrent() && this.#backoff.set(cluster, backoff)))
      .finally(() => isCurrent() && this.#loads.delete(cluster))
    this.#loads.set(cluster, load)
    return load
  }

  /** By policy, then by name of the group. Empty until it is loaded. */
  backoffOf(cluster: string): Backoff {
    return this.#backoff.get(cluster) ?? new Map<string, ReadonlyMap<string, BackoffGroup>>()
  }

  /** The names of the groups that the Machines of a policy know. A map of groups never changes. */
  knownGroupsOf({ cluster, policyKey }: Waiter): KnownGroups {
    const groups = this.#backoff.get(cluster)?.get(policyKey)
    if (!groups) return noGroups
    const known = this.#known.get(groups) ?? knownGroups(groups.keys())
    this.#known.set(groups, known)
    return known
  }

  /** Does nothing before the load, which would not know of it. */
  keepBackoff(cluster: string, backoff: Backoff): void {
    if (this.#backoff.has(cluster)) this.#backoff.set(cluster, fittingBackoff(backoff))
  }

  /** A machine was refused. Idempotent: its pass of the remediation tells the same again, and saves it. */
  tell({ cluster, policyKey }: Waiter, { group, at, terms }: Told): void {
    const backoff = this.#backoff.get(cluster)
    if (!backoff) return
    const groups = new Map(backoff.get(policyKey))
    groups.set(group, afterFailure(groups.get(group), { at, cameUp: false }, terms))
    this.#backoff.set(cluster, new Map(backoff).set(policyKey, groups))
  }

  /** Another manager may have the Cluster meanwhile and change its backoff, so it is loaded again. */
  forgetBackoff(cluster: string): void {
    this.#backoff.delete(cluster)
    this.#loads.delete(cluster)
  }

  /** Idempotent: the same facts may be passed any number of times. */
  record(facts: ReadonlyMap<string, GroupFacts>, by: { cluster: string; now: number }): void {
    const changed = new Set<string>()
    this.#heard.add(by.cluster)
    for (const [group, more] of facts) {
      if (by.now - lastFactAt(more) >= unusedForMs) continue
      const known = this.#facts.get(group)
      const next = joined(known, more)
      if (JSON.stringify(known) === JSON.stringify(next)) continue
      this.#facts.delete(group)
      this.#facts.set(group, next)
      changed.add(group)
    }
    for (const [group, known] of this.#facts) {
      if (by.now - lastFactAt(known) >= unusedForMs || this.#facts.size > mostGroups) this.#facts.delete(group)
    }
    this.#requeueWaiting(changed, ({ cluster }) => cluster !== by.cluster)
  }

  /** The number of known groups. */
  get size(): number {
    return this.#facts.size
  }

  /**
   * Until when a Cluster should launch nothing in these groups without need. Undefined: it may. Infinity: its own
   * machines have told nothing yet.
   */
  shutUntil(cluster: string, groups: readonly string[], longestPauseMs: number): number | undefined {
    if (!this.#heard.has(cluster)) return Infinity
    const until = groups.map((group) => shutUntil(this.#factsIn(cluster, group), longestPauseMs) ?? 0)
    return Math.max(0, ...until) || undefined
  }

  factsFor(waiter: Waiter, group: string): OthersFacts {
    const tries = [...this.#waiting.values()].filter((other) => !isSame(other, waiter)).flatMap(triesIn(group))
    const facts = this.#factsIn(waiter.cluster, group)
    return tries.length === 0 ? facts : { ...facts, triedSince: Math.max(...tries) }
  }

  #factsIn(cluster: string, group: string): GroupFacts {
    const own = this.#facts.get(inClusterAlone(cluster, group))
    const ofAll = this.#facts.get(group)
    return own ? joined(ofAll, own) : (ofAll ?? {})
  }

  triesOf(waiter: Waiter): ReadonlyMap<string, number> {
    return this.#waiting.get(nameOf(waiter))?.tries ?? new Map<string, number>()
  }

  note(waiter: Waiter, waiting: Waiting): void {
    const before = this.triesOf(waiter)
    this.#waiting.set(nameOf(waiter), { ...waiter, ...waiting })
    const groups = new Set([...before.keys(), ...waiting.tries.keys()])
    const changed = [...groups].filter((group) => before.get(group) !== waiting.tries.get(group))
    this.#requeueWaiting(new Set(changed), (other) => !isSame(other, waiter))
  }

  /** Forgets all policies of the Cluster except these, because only these have Machines. */
  retain(cluster: string, policyKeys: ReadonlySet<string>): void {
    if (policyKeys.size === 0) this.#heard.delete(cluster)
    for (const waiter of this.#waiting.values()) {
      if (waiter.cluster !== cluster || policyKeys.has(waiter.policyKey)) continue
      this.note(waiter, { waitsIn: new Set(), tries: new Map() })
      this.#waiting.delete(nameOf(waiter))
    }
  }

  #requeueWaiting(groups: ReadonlySet<string>, isMeant: (waiter: Waiter) => boolean): void {
    if (groups.size === 0) return
    for (const waiter of this.#waiting.values()) {
      if (isMeant(waiter) && [...waiter.waitsIn].some((group) => groups.has(group))) this.#requeue(waiter.cluster)
    }
  }
}

function triesIn(group: string): (waiting: Waiting) => number[] {
  return ({ tries }) => {
    const at = tries.get(group)
    return at === undefined ? [] : [at]
  }
}

function isSame(a: Waiter, b: Waiter): boolean {
  return a.cluster === b.cluster && a.policyKey === b.policyKey
}

function nameOf({ cluster, policyKey }: Waiter): string {
  return `${cluster} ${policyKey}`
}
