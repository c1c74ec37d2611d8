/** Matches every action. */
export const anyAction = '*'

interface Waiting<T> {
  readonly action: string
  readonly what: T
  left: number
}

/** What is to happen to the next so many calls of an action, in the order in which it was said. */
export class Countdown<T> {
  readonly #waiting: Waiting<T>[] = []

  add(action: string, count: number, what: T): void {
    if (count > 0) this.#waiting.push({ action, what, left: count })
  }

  /** The first that is meant for this action; one use of it is gone then. `fits`: what this call can take at all. */
  take(action: string, fits: (what: T) => boolean = () => true): T | undefined {
    const at = this.#waiting.findIndex((one) => isMeant(one.action, action) && fits(one.what))
    const found = this.#waiting[at]
    if (!found) return undefined
    found.left -= 1
    if (found.left <= 0) this.#waiting.splice(at, 1)
    return found.what
  }

  clear(): void {
    this.#waiting.length = 0
  }
}

export function isMeant(pattern: string, action: string): boolean {
  return pattern === anyAction || pattern === action
}
