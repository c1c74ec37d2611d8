import { eventually } from '../../test/lab/eventually.ts'

/** One line of the story. */
export interface Step {
  /** What holds now, in a sentence. */
  readonly what: string
  readonly withinMs: number
  /** What brings it about. */
  readonly first?: () => Promise<unknown>
  /** Throws while it does not hold; what it threw last is what was seen. An answer is printed below the line. */
  readonly holds: () => Promise<string | void>
}

interface Outcome {
  readonly ms: number
  /** Printed below the line. */
  readonly detail?: string | void
  readonly error?: unknown
}

/** A step that did not hold. It has been printed already. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
}

/** Looking at an API server is work for it too. */
const everyMs = 400

/** Does one step after the other and prints each as a line: a tick, what holds now, how long it took. */
export class Steps {
  readonly #signal: AbortSignal
  readonly #began = performance.now()
  #count = 0

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Takes these at the same time; their lines come in this order. */
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
    const lines = [`${error ? '✘' : '✔'} ${what} (${seconds(ms)})`, ...(detail ? [`    ${detail}`] : [])]
    process.stdout.write(`${lines.join('\n')}\n`)
    if (!error) this.#count++
  }
}

/** Says what was seen instead, where something is not as it should be. */
export function demand(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new Error(seen)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
