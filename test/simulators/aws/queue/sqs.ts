import { hashed } from '../../kit/http/hashed.ts'
import { isObject } from '../../kit/http/decode-json.ts'
import type { WireAnswer, WireRequest } from '../../kit/http/wire.ts'
import { authenticate, type AccessKeys } from '../http/signature.ts'
import type { Ec2Call } from '../http/call.ts'
import { actions, type SqsAction } from './actions.ts'
import { jsonAnswer, SqsError } from './errors.ts'
import type { Queues } from './queues.ts'

const prefix = 'AmazonSQS.'

/** A call of the JSON protocol of SQS. */
export interface SqsCall extends Ec2Call {
  /** Undefined: the body is not a JSON object. */
  readonly input: Readonly<Record<string, unknown>> | undefined
}

/** SQS stands behind the same port as EC2; it is known by the header of its protocol. */
export function readSqsCall(request: WireRequest): SqsCall | undefined {
  const target = request.headers['x-amz-target']
  if (typeof target !== 'string' || !target.startsWith(prefix)) return undefined
  const input = inputOf(request.body)
  return { action: target.slice(prefix.length), show: () => show(input ?? {}), request, given: [], input }
}

export function isSqs(call: Ec2Call): call is SqsCall {
  return 'input' in call
}

export function admitSqs(call: SqsCall, region: string, keys: AccessKeys): void {
  authenticate(call.request, region, keys, 'sqs')
}

/** A receive on an empty queue is answered when a message comes, or when its time is over. */
export function sqsDue(
  call: SqsCall,
  queues: Queues,
  ended: AbortSignal,
  left: AbortSignal,
): Promise<void> | undefined {
  const { QueueUrl, WaitTimeSeconds } = call.input ?? {}
  if (call.action !== 'ReceiveMessage' || typeof WaitTimeSeconds !== 'number' || !(WaitTimeSeconds <= 20)) return
  const queue = queues.at(String(QueueUrl))
  return queue?.arrival(WaitTimeSeconds * 1_000, AbortSignal.any([ended, left]))
}

export function answerSqs(call: SqsCall, queues: Queues): WireAnswer {
  const { request, input } = call
  const action = actionOf(call)
  if (request.method !== 'POST' || request.path !== '/') throw new SqsError('UnknownOperationException', 'POST to /.')
  if (request.headers['content-type'] !== 'application/x-amz-json-1.0' || !input) {
    throw new SqsError('SerializationException', 'The body is no JSON of this protocol.')
  }
  for (const name of Object.keys(input)) {
    if (name !== 'QueueUrl' && !action.fields.includes(name)) {
      throw new SqsError('UnsupportedOperation', `This simulator of SQS does not simulate ${name} of ${call.action}.`)
    }
  }
  const { QueueUrl } = input
  if (typeof QueueUrl !== 'string') {
    throw new SqsError('MissingParameter', 'The request must contain the parameter QueueUrl.')
  }
  const queue = queues.at(QueueUrl)
  if (!queue) throw new SqsError('QueueDoesNotExist', 'The specified queue does not exist.')
  return jsonAnswer(200, action.answer(input, queue, queues.origin))
}

function actionOf({ action }: SqsCall): SqsAction {
  const found = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (found) return found
  throw new SqsError('UnknownOperationException', `There is no operation ${action}.`)
}

function inputOf(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const input: unknown = JSON.parse(body)
    return isObject(input) ? input : undefined
  } catch {
    return undefined
  }
}

function show(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { MessageBody, ...rest } = input
  return typeof MessageBody === 'string' ? { ...rest, MessageBody: hashed(MessageBody) } : rest
}
