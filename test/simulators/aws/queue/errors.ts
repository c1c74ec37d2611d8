import { randomUUID } from 'node:crypto'
import type { Failure } from '../../kit/faults/faults.ts'
import { Refusal, statusesOf } from '../../kit/http/refusal.ts'
import type { WireAnswer } from '../../kit/http/wire.ts'

/** The status of SQS's codes; all others have 400. */
const statusOf = statusesOf({
  403: 'UnrecognizedClientException MissingAuthenticationTokenException IncompleteSignatureException',
  404: 'UnknownOperationException',
  500: 'InternalFailure',
  503: 'ServiceUnavailable',
})

/** The codes that the protocol before JSON had. SQS still sends them in a header, and clients use them. */
const queryCodes: Readonly<Record<string, string>> = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  OverLimit: 'OverLimit',
}

/** EC2's words, which the kit uses for every call here, in those of SQS. */
const ofEc2: Readonly<Record<string, string>> = {
  AuthFailure: 'UnrecognizedClientException',
  MissingAuthenticationToken: 'MissingAuthenticationTokenException',
  IncompleteSignature: 'IncompleteSignatureException',
  RequestLimitExceeded: 'ThrottlingException',
  InternalError: 'InternalFailure',
  Unavailable: 'ServiceUnavailable',
}

/** A refusal of SQS. */
export class SqsError extends Refusal {
  constructor(code: string, message: string) {
    super(code, message, statusOf(code))
  }
}

export function refuseSqs({ code, message, status }: Failure): WireAnswer {
  const own = ofEc2[code] ?? code
  const known = own === code ? (status ?? statusOf(own)) : statusOf(own)
  const isCommon = own.endsWith('Exception') || own === 'InternalFailure' || own === 'ServiceUnavailable'
  const type = `${isCommon ? 'com.amazon.coral.service' : 'com.amazonaws.sqs'}#${own}`
  const query = queryCodes[own]
  return {
    ...jsonAnswer(known, { __type: type, message }),
    ...(query && { headers: { ...headers(), 'x-amzn-query-error': `${query};Sender` } }),
  }
}

export function sqsCodeOf({ status, body }: WireAnswer): string | undefined {
  return status < 400 ? undefined : /"__type":"[^"#]*#(\w+)"/.exec(body)?.[1]
}

export function jsonAnswer(status: number, body: object): WireAnswer {
  return { status, headers: headers(), body: JSON.stringify(body) }
}

function headers(): Record<string, string> {
  return { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() }
}
