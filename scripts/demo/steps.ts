import { eventually } from '../../test/lab/eventually.ts'

export interface Wait {
  /** The step in a sentence, for the line that reports it. */
  readonly what: string
  readonly withinMs: number
  /** What brings it about. */
  readonly first?: () => Promise<unknown>
}

/** A step that did not hold. It has been printed already. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
}

/** Does one step after the other and prints each as a line: a tick, what holds now, how long it took. */
export class Steps {
  readonly #signal: AbortSignal
  readonly #began = performance.now()
  #count = 0

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Looks until `check` no longer throws; what it threw last is what was seen. */
  wait<T>({ what, withinMs, first }: Wait, check: () => Promise<T>): Promise<T> {
    return this.step(what, async () => {
      await first?.()
      return eventually('Not so', check, { timeoutMs: withinMs, signal: this.#signal })
    })
  }

  async step<T>(what: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      const result = await work()
      this.#print('✔', what, began)
      this.#count++
      return result
    } catch (error) {
      if (this.#signal.aborted) throw this.#signal.reason
      this.#print('✘', what, began)
      process.stdout.write(`  ${error instanceof Error ? error.message : String(error)}\n`)
      throw new StepFailed('A step of the story does not hold; what was seen stands above.', { cause: error })
    }
  }

  /** The line at the end. */
  conclude(): void {
    process.stdout.write(`All ${this.#count} steps hold, in ${seconds(this.#began)}\n`)
  }

  #print(mark: string, what: string, began: number): void {
    process.stdout.write(`${mark} ${what} (${seconds(began)})\n`)
  }
}

/** Says what was seen instead, where something is not as it should be. */
export function demand(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new Error(seen)
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}
