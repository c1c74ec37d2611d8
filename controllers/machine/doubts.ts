import { visibilityGraceMs } from '../../providers/fleet/fleet.ts'
import { longestCallMs } from '../../providers/wire/limits.ts'

/**
 * A call whose caller gave up arrives within the time that callers wait, and what it makes shows within that of lists.
 */
const mayComeForMs = longestCallMs + visibilityGraceMs

interface Since {
  readonly token: string
  /** The last call that may have made something. */
  readonly at: number
  /** The last one before it, which may make another. */
  readonly beforeAt: number
}

/** A call with a token, whose answer is not known yet. */
interface Call {
  /** A definite no: nothing came of it. */
  readonly refused: () => void
  /** It is not waited for any longer, and may still arrive. */
  readonly lost: (nowMs: number) => void
}

const never = Number.NEGATIVE_INFINITY

/**
 * How long an instance may still come of the calls made with a machine's token. A definite no says nothing of an
 * earlier call with the same token that had no answer. Kept in memory only: of a token that another process wrote
 * nobody here knows when it was last used, so its time begins anew.
 */
export class Doubts {
  readonly #since = new Map<string, Since>()

  /** Written this moment: nobody has asked with it yet. */
  wrote(key: string, token: string): void {
    this.#since.set(key, { token, at: never, beforeAt: never })
  }

  /** A call is made with it. */
  asked(key: string, token: string, nowMs: number): Call {
    const known = this.#since.get(key)
    const before = known?.token === token ? known : { token, at: nowMs, beforeAt: nowMs }
    this.#since.set(key, { token, at: nowMs, beforeAt: before.at })
    return {
      refused: () => void this.#since.set(key, before),
      lost: (givenUpMs) => void this.#since.set(key, { token, at: givenUpMs, beforeAt: before.at }),
    }
  }

  /**
   * The cloud has begun to end what came of it: that it is not there means from now on what it says. A call before
   * the one that made it may still make another: some clouds forget whom they have ended, and its name is free again.
   */
  ending(key: string, token: string): void {
    const known = this.#since.get(key)
    if (known?.token === token) this.#since.set(key, { ...known, at: known.beforeAt })
  }

  /** 0 when nothing can come any more. The first question about an unknown token begins its time. */
  left(key: string, token: string, nowMs: number): number {
    const known = this.#since.get(key)
    if (known?.token !== token) this.#since.set(key, { token, at: nowMs, beforeAt: nowMs })
    const at = known?.token === token ? known.at : nowMs
    return Math.max(0, at + mayComeForMs - nowMs)
  }

  /** The same of whatever this machine was last known to ask with, for when its attempt is lost. */
  pending(key: string, nowMs: number): number {
    const known = this.#since.get(key)
    return known ? Math.max(0, known.at + mayComeForMs - nowMs) : 0
  }

  /** Whether it was written here, and whatever was asked with it was refused for good: nothing has come of it. */
  isUnused(key: string, token: string): boolean {
    const known = this.#since.get(key)
    return known?.token === token && known.at === never
  }

  forget(key: string): void {
    this.#since.delete(key)
  }
}
