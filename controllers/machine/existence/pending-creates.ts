import { mayComeForMs } from './existence.ts'

interface Since {
  readonly token: string
  /** The last call that may have made something. */
  readonly at: number
  /** The last one before it, which may make another. */
  readonly beforeAt: number
  /** The last one with another token, which somebody took away or wrote over. */
  readonly otherAt: number
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
export class PendingCreates {
  readonly #since = new Map<string, Since>()

  /** Written this moment, and only where nothing can come of another: nobody has asked with it yet. */
  wrote(key: string, token: string): void {
    this.#since.set(key, { token, at: never, beforeAt: never, otherAt: never })
  }

  /** A call is made with it. */
  asked(key: string, token: string, nowMs: number): Call {
    const before = this.#of(key, token, nowMs)
    const now = { ...before, at: nowMs, beforeAt: before.at }
    this.#since.set(key, now)
    return {
      refused: () => void this.#since.set(key, before),
      lost: (givenUpMs) => void this.#since.set(key, { ...now, at: givenUpMs }),
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

  /**
   * 0 when nothing can come any more. The first question about an unknown token begins its time. `asOf`: now, or when
   * the reads began that show nothing: however long ago the call was, an older read tells nothing of it.
   */
  left(key: string, token: string, asOf: number): number {
    const known = this.#of(key, token, asOf)
    this.#since.set(key, known)
    return leftOf(known.at, asOf)
  }

  /** The same of all that this machine was ever known to ask with, but for this token; for when an attempt is lost. */
  othersLeft(key: string, token: string | undefined, asOf: number): number {
    const known = this.#since.get(key)
    if (!known) return 0
    return leftOf(known.token === token ? known.otherAt : Math.max(known.at, known.otherAt), asOf)
  }

  /** Whether it was written here, and whatever was asked with it was refused for good: nothing has come of it. */
  isUnused(key: string, token: string): boolean {
    const known = this.#since.get(key)
    return known?.token === token && known.at === never
  }

  forget(key: string): void {
    this.#since.delete(key)
  }

  #of(key: string, token: string, nowMs: number): Since {
    const known = this.#since.get(key)
    if (known?.token === token) return known
    return { token, at: nowMs, beforeAt: nowMs, otherAt: Math.max(known?.at ?? never, known?.otherAt ?? never) }
  }
}

function leftOf(at: number, asOf: number): number {
  return at === never ? 0 : Math.max(0, at + mayComeForMs - asOf)
}
