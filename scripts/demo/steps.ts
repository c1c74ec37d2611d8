import { eventually } from '../../test/lab/eventually.ts'

/** One line of the story. */
export interface Step {
  /** The sentence that is true now. */
  readonly what: string
  readonly withinMs: number
  /** The action of the step. */
  readonly first?: () => Promise<unknown>
  /** Throws while the sentence is not true; the last error is reported. A returned text is printed below the line. */
  readonly holds: () => Promise<string | void>
}

interface Outcome {
  readonly ms: number
  /** Printed below the line. */
  readonly detail?: string | void
  readonly error?: unknown
}

/** A failed step. It has been printed already. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
}

/** The time between two reads, because each is work for the API server. */
const everyMs = 400

/** Runs the steps one after the other, and prints each as a line: a tick, the sentence, the duration. */
export class Steps {
  readonly #signal: AbortSignal
  readonly #began = performance.now()
  #count = 0

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Runs these steps at the same time. Their lines come in this order. */
  async take(...steps: readonly Step[]): Promise<void> {
    const outcomes = steps.map((step) => this.#outcomeOf(step))
    let failed: unknown
    for (const [at, step] of steps.entries()) {
      const outcome = (await outcomes[at]) ?? { ms: 0 }
      if (outcome.error && this.#signal.aborted) throw this.#signal.reason
      failed ??= outcome.error
      this.#print(step.what, outcome)
    }
    if (failed) throw new StepFailed('A step failed. The last observation is printed above.', { cause: failed })
  }

  /** The line at the end. */
  conclude(): void {
    process.stdout.write(`All ${this.#count} steps passed in ${seconds(performance.now() - this.#began)}\n`)
  }

  async #outcomeOf({ first, holds, withinMs }: Step): Promise<Outcome> {
    const began = performance.now()
    const after = () => performance.now() - began
    try {
      await first?.()
      const detail = await eventually('Not so', holds, { timeoutMs: withinMs, everyMs, signal: this.#signal })
      return { ms: after(), detail }
    } catch (error) {
      return { ms: after(), error, detail: error instanceof Error ? error.message : String(error) }
    }
  }

  #print(what: string, { ms, error, detail }: Outcome): void {
    const below = detail ? detail.split('\n').map((line) => `    ${line}`) : []
    const lines = [`${error ? '✘' : '✔'} ${what} (${seconds(ms)})`, ...below]
    process.stdout.write(`${lines.join('\n')}\n`)
    if (!error) this.#count++
  }
}

/** Prints the last error of a step that fails. */
export function demand(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new Error(seen)
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
