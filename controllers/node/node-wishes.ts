import type { WantedNode } from '../../api/rules/wanted-node.ts'

/** What somebody wants of a Node. */
export interface Wish {
  readonly node: string
  readonly wanted: WantedNode
}

/** Who wants a write comes back before that. What nobody wants any more is not written. */
const validForMs = 15_000
/** A caller comes back after this time, and later where many wait: each visit is a pass over its machine. */
const leastPatienceMs = 500
const perWishMs = 10
const mostPatienceMs = 10_000

/** The wishes for the Nodes of one cluster that wait for a turn. Of an instance the latest wish counts. */
export class ClusterWishes {
  /** Somebody has the turn. */
  isTaken = false
  /** By providerID, as `#underWay`. */
  readonly #waiting = new Map<string, Wish & { readonly at: number }>()
  readonly #underWay = new Set<string>()

  /** When a caller should come back. */
  get patienceMs(): number {
    return Math.min(mostPatienceMs, leastPatienceMs + perWishMs * this.#waiting.size)
  }

  get isIdle(): boolean {
    return !this.isTaken && this.#waiting.size === 0
  }

  add(wish: Wish, at: number): void {
    this.#waiting.set(wish.wanted.providerID, { ...wish, at })
  }

  forget(providerID: string): void {
    this.#waiting.delete(providerID)
  }

  /**
   * The wish that waits for longest and is still valid. Undefined: there is none. A wish for a Node that is being
   * written waits: otherwise the older write might be the last.
   */
  next(now: number): Wish | undefined {
    for (const [providerID, wish] of this.#waiting) {
      if (now - wish.at > validForMs) this.forget(providerID)
      else if (!this.#underWay.has(providerID)) return wish
    }
    return undefined
  }

  /** Fulfils a wish. */
  async during<T>({ wanted: { providerID } }: Wish, write: () => Promise<T>): Promise<T> {
    this.forget(providerID)
    this.#underWay.add(providerID)
    try {
      return await write()
    } finally {
      this.#underWay.delete(providerID)
    }
  }
}

/** The wishes by cluster. */
export class NodeWishes {
  readonly #clusters = new Map<string, ClusterWishes>()

  of(cluster: string): ClusterWishes {
    const known = this.#clusters.get(cluster) ?? new ClusterWishes()
    this.#clusters.set(cluster, known)
    return known
  }

  forget(providerID: string): void {
    for (const wishes of this.#clusters.values()) wishes.forget(providerID)
  }

  /** Forgets clusters without a wish. */
  sweep(now: number): void {
    for (const [cluster, wishes] of this.#clusters) {
      wishes.next(now)
      if (wishes.isIdle) this.#clusters.delete(cluster)
    }
  }
}
