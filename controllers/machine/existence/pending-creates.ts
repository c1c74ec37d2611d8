import { mayComeForMs } from './existence.ts'

interface Since {
  readonly token: string
  /** The last call that may have made an instance. */
  readonly at: number
  /** The call before it, which may make another instance. */
  readonly beforeAt: number
  /** The last call with another token, which somebody removed or replaced. */
  readonly otherAt: number
  /** This process wrote the token, and has sent nothing with it. */
  readonly isUnsent?: true
}

/** A call with a token, whose answer is not known yet. */
interface Call {
  /** A definite no: the call made nothing. */
  readonly refused: () => void
  /** Its caller has given up. The call may still arrive. */
  readonly lost: (nowMs: number) => void
  /** Nothing was sent. */
  readonly heldBack: () => void
}

const never = Number.NEGATIVE_INFINITY

/**
 * For each machine, how long the calls with its token may still make an instance. A definite no does not cover an
 * earlier call with the same token that had no answer. Kept in memory only: this process does not know when another
 * process last used a token, so the time of such a token begins anew.
 */
export class PendingCreates {
  readonly #since = new Map<string, Since>()

  /** A new token, with which no call was made yet. It is written only when no call with another token can succeed. */
  wrote(key: string, token: string): void {
    this.#since.set(key, { token, at: never, beforeAt: never, otherAt: never, isUnsent: true })
  }

  /**
   * Nothing of this token can exist, so the attempt may still change. A refused call may have made a part of the
   * launch, as in Azure.
   */
  isUnsent(key: string, token: string): boolean {
    const known = this.#since.get(key)
    return known?.token === token && known.isUnsent === true
  }

  /** A call with this token begins. */
  asked(key: string, token: string, nowMs: number): Call {
    const unsent = this.#of(key, token, nowMs)
    const { isUnsent: _, ...before } = unsent
    const now = { ...before, at: nowMs, beforeAt: before.at }
    this.#since.set(key, now)
    return {
      refused: () => void this.#since.set(key, before),
      lost: (givenUpMs) => void this.#since.set(key, { ...now, at: givenUpMs }),
      heldBack: () => void this.#since.set(key, unsent),
    }
  }

  /**
   * The cloud has begun to end the instance, so from now on its absence proves its end. An earlier call may still make
   * another: some clouds forget instances that they have ended, and the name is free again.
   */
  ending(key: string, token: string): void {
    const known = this.#since.get(key)
    if (known?.token === token) this.#since.set(key, { ...known, at: known.beforeAt })
  }

  /**
   * 0: no call can make an instance any more. The first question about an unknown token begins its time. `asOf`: now,
   * or the begin of the reads that show nothing, because a read proves nothing about a later call.
   */
  left(key: string, token: string, asOf: number): number {
    const known = this.#of(key, token, asOf)
    this.#since.set(key, known)
    return leftOf(known.at, asOf)
  }

  /** The same for all known tokens of this machine but this one; for a lost attempt. */
  othersLeft(key: string, token: string | undefined, asOf: number): number {
    const known = this.#since.get(key)
    if (!known) return 0
    return leftOf(known.token === token ? known.otherAt : Math.max(known.at, known.otherAt), asOf)
  }

  /** Whether this process wrote the token, and each call with it was refused for good. So it has made nothing. */
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
