/**
 * More tokens than a manager ever has machines. The oldest are forgotten; instances with a forgotten token are then
 * only reported.
 */
const most = 50_000

/**
 * The tokens of all attempts that this process has written or read. An instance with such a token was made here, or by
 * a manager whose objects are here.
 */
export class AttemptTokens {
  readonly #seen = new Set<string>()

  note(token: string): void {
    this.#seen.delete(token)
    this.#seen.add(token)
    if (this.#seen.size <= most) return
    const [oldest] = this.#seen
    if (oldest !== undefined) this.#seen.delete(oldest)
  }

  has(token: string): boolean {
    return this.#seen.has(token)
  }
}
