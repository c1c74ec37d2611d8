import { verb, type Verb } from '../../kit/control/verb.ts'
import { operationError } from '../http/failures.ts'
import type { OperationFaults } from '../supply/operation-faults.ts'

/** What GCE says only after it has said yes. */
export interface OperationControl {
  /** The next `count` operations of this type (insert or start; '*': either) end with this error. */
  failNextOperation(type: string, count: number, failure: OperationFailure): void
}

export interface OperationFailure {
  readonly code: string
  readonly message: string
  /** The instance of an insert is not taken away, but stopped. */
  readonly leaves?: boolean
}

export function operationControl(faults: OperationFaults): OperationControl {
  return {
    failNextOperation: (type, count, { code, message, leaves = false }) =>
      faults.failNext(type, count, { ...operationError(code, message), ...(leaves ? { leaves } : {}) }),
  }
}

/** The same over HTTP. */
export function operationVerbs(control: OperationControl): readonly Verb[] {
  return [
    verb({
      name: 'fail-next-operation',
      does: 'accepts the next inserts or starts and lets their operations end with a code',
      fields: { type: 'text', code: 'text', count: 'number?', message: 'text?' },
      run: ({ type, code, count = 1, message = `Failed by the simulator: ${code}.` }) =>
        control.failNextOperation(type, count, { code, message }),
    }),
  ]
}
