import type { CloudName } from '../../../../api/scope.ts'
import type { Failure } from '../faults/faults.ts'
import type { Call } from './journal.ts'
import type { WireAnswer } from './wire.ts'

/** How a cloud answers a call that has come in over the wire. */
export interface SimulatedCloud<C extends Call> {
  readonly cloud: CloudName
  /** Who is calling, and how often. Throws a Refusal; counts as a call either way. */
  admit(call: C): void
  /**
   * For a call that is answered only when something has come about: resolves then, or when the caller has left. Left
   * out: there is none.
   */
  due?(call: C, signal: AbortSignal, left: AbortSignal): Promise<void> | undefined
  /** Does the call, all of it, before anything else happens: no other call sees it half done. Throws a Refusal. */
  perform(call: C): WireAnswer
  /** How this cloud writes a refusal. */
  refuse(failure: Failure, call: C): WireAnswer
  /** The cloud's code in an answer that refuses. */
  codeOf(answer: WireAnswer): string | undefined
  /** Whether the answer is the last page of several. */
  endsList(call: C, answer: WireAnswer): boolean
  /** In this cloud's words: too many calls, and its own faults. */
  readonly failures: { readonly throttle: Failure; readonly serverErrors: readonly Failure[] }
}
