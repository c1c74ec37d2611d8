import { RandomByName } from '../random.ts'

const meanings = {
  throttle: 'refused because of too many calls',
  'server-error': 'refused because of a fault of the cloud; nothing was done',
  'error-after-commit': 'done, and answered as if it had not been',
  'reset-before': 'the connection is reset before anything is done',
  'answer-lost': 'done, then the connection ends',
  slow: 'done, and answered later than a caller waits',
} as const

export type ChaosKind = keyof typeof meanings
export const chaosMeanings: Readonly<Record<ChaosKind, string>> = meanings
export const chaosKinds = Object.keys(meanings) as readonly ChaosKind[]

export interface ChaosOptions {
  /** How likely a call is hit, from 0 to 1. */
  readonly rate: number
  readonly seed?: number
  /** Left out: all of them. */
  readonly kinds?: readonly ChaosKind[]
  /** How late a slow answer comes. */
  readonly slowMs?: number
}

/** What hits one call. */
export interface Hit {
  readonly kind: ChaosKind
  readonly slowMs: number
  /** From 0 up to 1: which of the cloud's faults, where it has several. */
  readonly roll: number
}

/**
 * Faults at random, the same ones for the same seed. The n-th call of an action always meets the same fate, whatever
 * else is called meanwhile.
 */
export class Chaos {
  #options: ChaosOptions | undefined
  #random = new RandomByName(0)

  /** Undefined: no more of it. */
  set(options: ChaosOptions | undefined): void {
    this.#options = options
    this.#random = new RandomByName(options?.seed ?? 1)
  }

  strike(action: string): Hit | undefined {
    if (!this.#options) return undefined
    const { rate, kinds = chaosKinds, slowMs = 35_000 } = this.#options
    // Every call uses up as many numbers, hit or not: a change of the rate moves nobody else's fate.
    const [chance, choice, roll] = [0, 1, 2].map(() => this.#random.next(action)) as [number, number, number]
    const kind = kinds[Math.floor(choice * kinds.length)]
    return kind === undefined || chance >= rate ? undefined : { kind, slowMs, roll }
  }
}
