import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../../api/ctx.ts'
import type { Refusal } from '../instances/instance.ts'

export type Provider = 'Microsoft.Compute' | 'Microsoft.Network'

/** Something that was accepted and takes its time. */
export interface Operation {
  readonly id: string
  readonly provider: Provider
  readonly startedAt: number
  status: 'InProgress' | 'Succeeded' | 'Failed'
  error: Refusal | undefined
  endedAt: number | undefined
}

/** How long the outcome of one can be asked for. */
const keptMs = 3_600_000

export class Operations {
  readonly #clock: Clock
  readonly #all = new Map<string, Operation>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(provider: Provider): Operation {
    const operation: Operation = {
      id: randomUUID(),
      provider,
      startedAt: this.#clock.now(),
      status: 'InProgress',
      error: undefined,
      endedAt: undefined,
    }
    this.#forget()
    this.#all.set(operation.id, operation)
    return operation
  }

  /** `error`: it was not to be. What has ended stays as it is. */
  end(operation: Operation, error?: Refusal): void {
    if (operation.status !== 'InProgress') return
    operation.status = error ? 'Failed' : 'Succeeded'
    operation.error = error
    operation.endedAt = this.#clock.now()
  }

  get(id: string): Operation | undefined {
    return this.#all.get(id.toLowerCase())
  }

  /** They end in about the order in which they began. */
  #forget(): void {
    for (const { id, startedAt } of this.#all.values()) {
      if (startedAt > this.#clock.now() - keptMs) return
      this.#all.delete(id)
    }
  }
}
