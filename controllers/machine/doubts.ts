import { longestCallMs, visibilityGraceMs } from '../../providers/fleet/fleet.ts'

/**
 * A call whose caller gave up arrives within the time that callers wait, and what it makes shows within that of lists.
 */
const mayComeForMs = longestCallMs + visibilityGraceMs

/**
 * How long an instance may still come of the calls made with a machine's token. A definite no says nothing of an
 * earlier call with the same token that had no answer. Kept in memory only: of a token that another process wrote
 * nobody here knows when it was last used, so its time begins anew.
 */
export class Doubts {
  readonly #since = new Map<string, { token: string; at: number }>()

  /** Written this moment: nobody has asked with it yet. */
  wrote(key: string, token: string): void {
    this.#since.set(key, { token, at: Number.NEGATIVE_INFINITY })
  }

  /** A call is made with it, and only a definite no takes that back. */
  asked(key: string, token: string, nowMs: number): () => void {
    const before = this.#since.get(key)
    this.#since.set(key, { token, at: nowMs })
    return () => {
      if (before?.token === token) this.#since.set(key, before)
    }
  }

  /** The cloud has begun to end what came of it: that it is not there means from now on what it says. */
  ending(key: string, token: string): void {
    this.wrote(key, token)
  }

  /** 0 when nothing can come any more. The first question about an unknown token begins its time. */
  left(key: string, token: string, nowMs: number): number {
    const known = this.#since.get(key)
    if (known?.token !== token) this.#since.set(key, { token, at: nowMs })
    const at = known?.token === token ? known.at : nowMs
    return Math.max(0, at + mayComeForMs - nowMs)
  }

  forget(key: string): void {
    this.#since.delete(key)
  }
}
