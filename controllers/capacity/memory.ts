import { joined, lastFactAt, type GroupFacts, type OthersFacts } from '../../api/rules/group-facts.ts'

/** A group of which nobody has said anything for so long is of nobody's machines. */
const unusedForMs = 24 * 60 * 60_000

/**
 * Names of groups hold what tenants write (a label, the name of a template). The oldest go; of what a machine still
 * shows its Cluster tells with each pass.
 */
const mostGroups = 10_000

/** The Machines of one Cluster that go by one policy. */
export interface Waiter {
  readonly cluster: string
  readonly policyKey: string
}

/** What one of them does about its groups. */
export interface Waiting {
  readonly waitsIn: ReadonlySet<string>
  /** By group, when it began a try of which nothing is known yet. */
  readonly tries: ReadonlyMap<string, number>
}

/**
 * What the machines of all Clusters have shown of every offering, quota and template: one account's capacity is one.
 * Only what machines show is kept here, and no annotation: what a tenant writes must not reach another. Each Cluster
 * computes its own pauses from it.
 */
export class CapacityMemory {
  readonly #facts = new Map<string, GroupFacts>()
  readonly #waiting = new Map<string, Waiter & Waiting>()
  readonly #wake: (cluster: string) => void

  /** `wake` is told of the Cluster of whoever waits in a group when that changes, but for the one who changed it. */
  constructor(wake: (cluster: string) => void) {
    this.#wake = wake
  }

  /** The same may be told any number of times. */
  tell(facts: ReadonlyMap<string, GroupFacts>, by: { cluster: string; now: number }): void {
    const changed = new Set<string>()
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
    this.#wakeWhoWaits(changed, ({ cluster }) => cluster !== by.cluster)
  }

  /** How many groups are known. */
  get size(): number {
    return this.#facts.size
  }

  seenBy(who: Waiter, group: string): OthersFacts {
    const tries = [...this.#waiting.values()].filter((other) => !isSame(other, who)).flatMap(triesIn(group))
    const facts = this.#facts.get(group) ?? {}
    return tries.length === 0 ? facts : { ...facts, triedSince: Math.max(...tries) }
  }

  triesOf(who: Waiter): ReadonlyMap<string, number> {
    return this.#waiting.get(nameOf(who))?.tries ?? new Map<string, number>()
  }

  note(who: Waiter, waiting: Waiting): void {
    const before = this.triesOf(who)
    this.#waiting.set(nameOf(who), { ...who, ...waiting })
    const groups = new Set([...before.keys(), ...waiting.tries.keys()])
    const changed = [...groups].filter((group) => before.get(group) !== waiting.tries.get(group))
    this.#wakeWhoWaits(new Set(changed), (other) => !isSame(other, who))
  }

  /** Only these policyKeys of the Cluster have Machines. */
  retain(cluster: string, policyKeys: ReadonlySet<string>): void {
    for (const who of this.#waiting.values()) {
      if (who.cluster !== cluster || policyKeys.has(who.policyKey)) continue
      this.note(who, { waitsIn: new Set(), tries: new Map() })
      this.#waiting.delete(nameOf(who))
    }
  }

  #wakeWhoWaits(groups: ReadonlySet<string>, isMeant: (who: Waiter) => boolean): void {
    if (groups.size === 0) return
    for (const who of this.#waiting.values()) {
      if (isMeant(who) && [...who.waitsIn].some((group) => groups.has(group))) this.#wake(who.cluster)
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
