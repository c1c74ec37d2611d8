import type { CloudError } from '../../../api/cloud-error.ts'
import type { Instance } from '../../../api/instance.ts'
import { operationError } from '../wire/errors.ts'
import { withFields } from '../wire/fields.ts'
import type { GceOperation } from '../wire/documents.ts'

/** The explanation that the operations on an instance give, where the instance itself gives none. */
export type Explanation =
  /** The insert was accepted and failed later. GCE leaves nothing behind. */
  | { readonly is: 'failed'; readonly failure: CloudError }
  /** The insert is still under way. */
  | { readonly is: 'coming' }
  | {
      readonly is: 'ended'
      readonly reason: NonNullable<Instance['reason']>
      readonly interrupted: boolean
      /** Whether it was only stopped, is being deleted, or is deleted. */
      readonly how: 'stopped' | 'deleting' | 'deleted'
    }

/** Somebody deleted the instance while it was made. That is an end, not a refusal by GCE. */
const canceled = 'OPERATION_CANCELED_BY_USER'

const preempted = 'compute.instances.preempted'

/** Types of operations that end or stop an instance. */
const ends: ReadonlySet<string> = new Set([
  preempted,
  'compute.instances.guestTerminate',
  'compute.instances.hostError',
  'compute.instances.terminateOnHostMaintenance',
  'delete',
  'stop',
  'suspend',
])

/** After these the instance runs (again), so earlier ends no longer count. */
const begins: ReadonlySet<string> = new Set(['insert', 'start', 'resume', 'compute.instances.automaticRestart'])

/** Takes all operations on one instance, in any order. Undefined: they explain nothing. */
export function explain(operations: readonly GceOperation[]): Explanation | undefined {
  const insert = operations.find(({ operationType }) => operationType === 'insert')
  const failure = insert && operationError(insert)
  if (failure && failure.code !== canceled) return { is: 'failed', failure: withFields(failure) }
  const inOrder = operations.filter((one) => !operationError(one)).toSorted((a, b) => begunAt(a) - begunAt(b))
  const lastBegin = inOrder.findLastIndex(({ operationType = '' }) => begins.has(operationType))
  const since = inOrder.slice(lastBegin + 1).filter(({ operationType = '' }) => ends.has(operationType))
  const why = since.find(({ operationType }) => operationType === preempted) ?? since.at(-1)
  if (!why) return insert && !isDone(insert) ? { is: 'coming' } : undefined
  return {
    is: 'ended',
    reason: { code: why.operationType ?? '', message: sentenceOf(why) },
    interrupted: why.operationType === preempted,
    how: howOf(since),
  }
}

function howOf(operations: readonly GceOperation[]): 'stopped' | 'deleting' | 'deleted' {
  const deletes = operations.filter(({ operationType }) => operationType === 'delete')
  if (deletes.length === 0) return 'stopped'
  return deletes.some(isDone) ? 'deleted' : 'deleting'
}

function isDone({ status }: GceOperation): boolean {
  return status === 'DONE'
}

function begunAt({ insertTime = '' }: GceOperation): number {
  return Date.parse(insertTime) || 0
}

function sentenceOf({ statusMessage, user, operationType }: GceOperation): string {
  if (statusMessage) return statusMessage
  if (operationType === preempted) return 'Instance was preempted.'
  return user === undefined || user === 'system' ? 'GCE did this itself.' : `The user ${user} requested it.`
}
