import type { Attempt } from '../../../api/attempt.ts'

/**
 * A machine writes its next token only when its last one is settled: no instance of that lives, and none comes of it
 * later.
 */
export class NextTokenLaw {
  wentOn = 0
  /** Of those, with something left of a refused one. */
  left = 0
  readonly #broken: string[]
  readonly #isAlive: (token: string) => boolean
  /** By token. */
  readonly #numbers = new Map<string, number>()
  /** The attempt that stands, by uid. */
  readonly #present = new Map<string, Pick<Attempt, 'n' | 'token'>>()

  constructor(broken: string[], isAlive: (token: string) => boolean) {
    this.#broken = broken
    this.#isAlive = isAlive
  }

  wrote(uid: string, { n, token, for: name, left = [] }: Attempt): void {
    const before = this.#present.get(uid)
    this.#numbers.set(token, n)
    this.#present.set(uid, { n, token })
    if (!before || n <= before.n) return
    this.wentOn += 1
    if (left.length > 0) this.left += 1
    if (!this.#isAlive(before.token)) return
    this.#broken.push(`${name} went on to attempt ${n} while the instance of attempt ${before.n} was alive`)
  }

  made(uid: string, token: string): void {
    const present = this.#present.get(uid)
    const n = this.#numbers.get(token)
    if (!present || n === undefined || n >= present.n) return
    this.#broken.push(`An instance came of attempt ${n} of machine ${uid}, which had gone on to attempt ${present.n}`)
  }

  /** A user has removed or changed its attempt. */
  forget(uid: string): void {
    this.#present.delete(uid)
  }

  restored(): void {
    this.#present.clear()
  }
}
