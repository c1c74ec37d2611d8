import { STATUS_CODES } from 'node:http'
import type { Json } from '../../kit/http/decode-json.ts'
import { gceTime } from '../ids.ts'
import type { Operation } from './operations.ts'
import { linkTo } from '../references.ts'
import type { World } from '../world.ts'

/** What has ended never changes: what was once written can be written again. */
const written = new WeakMap<Operation, Json>()

/** An operation as GCE shows it. One that failed is DONE, and is answered with 200 like any other. */
export function writeOperation(operation: Operation, world: World): Json {
  const before = written.get(operation)
  if (before) return before
  const json = write(operation, world)
  if (operation.endedAt !== undefined) written.set(operation, json)
  return json
}

function write(operation: Operation, { project }: World): Json {
  const { endedAt, error, insertedAt, requestId, zone, name } = operation
  const isDone = endedAt !== undefined
  return {
    kind: 'compute#operation',
    id: operation.id,
    name,
    zone: linkTo(`projects/${project}/zones/${zone.name}`),
    operationType: operation.type,
    targetLink: linkTo(operation.target),
    targetId: operation.targetId,
    ...(requestId !== undefined && { clientOperationId: requestId }),
    status: isDone ? 'DONE' : 'RUNNING',
    ...(operation.type === 'compute.instances.preempted' && { statusMessage: 'Instance was preempted.' }),
    user: operation.user,
    progress: isDone ? 100 : 0,
    insertTime: gceTime(insertedAt),
    startTime: gceTime(insertedAt),
    ...(isDone && { endTime: gceTime(endedAt) }),
    ...(error && {
      error: {
        errors: [{ code: error.code, message: error.message, ...(error.details && { errorDetails: error.details }) }],
      },
      httpErrorStatusCode: error.status,
      httpErrorMessage: (STATUS_CODES[error.status] ?? 'UNKNOWN').toUpperCase(),
    }),
    selfLink: linkTo(`projects/${project}/zones/${zone.name}/operations/${name}`),
  }
}
