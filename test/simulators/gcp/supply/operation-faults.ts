import { Countdown } from '../../kit/faults/countdown.ts'
import type { OperationError } from '../http/operations.ts'

/** Calls that are to be accepted and to fail later. By the type of their operation: insert, start, stop, delete. */
export class OperationFaults {
  readonly #next = new Countdown<OperationError>()

  failNext(type: string, count: number, error: OperationError): void {
    this.#next.add(type, count, error)
  }

  take(type: string): OperationError | undefined {
    return this.#next.take(type)
  }

  clear(): void {
    this.#next.clear()
  }
}
