import { randomUUID } from 'node:crypto'
import type { Failure } from '../../kit/faults/faults.ts'
import type { WireAnswer } from '../../kit/http/wire.ts'
import type { Account } from '../account.ts'
import type { Action } from './action.ts'
import { capacityReservationActions } from '../actions/capacity-reservations.ts'
import { imageActions } from '../actions/images.ts'
import { instanceStatusActions } from '../actions/instance-status.ts'
import { instanceTypeActions } from '../actions/instance-types.ts'
import { instanceActions } from '../actions/instances.ts'
import { networkActions } from '../actions/networks.ts'
import { placeActions } from '../actions/places.ts'
import { placementGroupActions } from '../actions/placement-groups.ts'
import { spotPriceActions } from '../actions/spot-prices.ts'
import { spotRequestActions } from '../actions/spot-requests.ts'
import { tagActions } from '../actions/tags.ts'
import { volumeActions } from '../actions/volumes.ts'
import { requestLimitExceeded } from './buckets.ts'
import { parametersOf, type Ec2Call } from './call.ts'
import { Ec2Error, statusOf } from './errors.ts'
import { runInstances } from '../launch/action.ts'
import { authenticate, type AccessKeys } from './signature.ts'
import { refuseSqs, sqsCodeOf } from '../queue/errors.ts'
import { admitSqs, answerSqs, isSqs } from '../queue/sqs.ts'
import { answerSts, isForSts } from './sts.ts'
import { xmlDocument } from './xml.ts'

const namespace = 'http://ec2.amazonaws.com/doc/2016-11-15/'

const actions: ReadonlyMap<string, Action> = new Map(
  [
    runInstances,
    ...instanceActions,
    ...instanceStatusActions,
    ...capacityReservationActions,
    ...placementGroupActions,
    ...imageActions,
    ...instanceTypeActions,
    ...networkActions,
    ...placeActions,
    ...spotPriceActions,
    ...spotRequestActions,
    ...tagActions,
    ...volumeActions,
  ].map((action) => [action.name, action]),
)

/** EC2's own words for what can hit any call. */
export const ec2Failures = {
  throttle: requestLimitExceeded,
  serverErrors: [
    { code: 'InternalError', message: 'An internal error has occurred' },
    { code: 'ServiceUnavailable', message: 'The request has failed due to a temporary failure of the server.' },
    { code: 'Unavailable', message: 'The server is overloaded and cannot handle the request.' },
  ],
} as const

/** Whether EC2 looks at a call at all: who makes it, and how many before it. */
export function admitCall(call: Ec2Call, account: Account, keys: AccessKeys): void {
  // STS and SQS count their calls apart, and grant hundreds a second.
  if (isForSts(call)) return
  if (isSqs(call)) return admitSqs(call, account.world.region, keys)
  authenticate(call.request, account.world.region, keys)
  const parameters = call.given.map(([name]) => name)
  if (actions.has(call.action)) account.buckets.admit(call.action, parameters)
}

/** Does one call. */
export function answerCall(call: Ec2Call, account: Account, keys: AccessKeys): WireAnswer {
  if (isForSts(call)) return answerSts(call, account, keys)
  if (isSqs(call)) return answerSqs(call, account.queues)
  const parameters = parametersOf(call)
  const action = actions.get(call.action)
  if (!action) {
    throw new Ec2Error('InvalidAction', `The action ${call.action} is not valid for this web service.`)
  }
  const content = action.answer(parameters, account)
  return xmlAnswer(200, xmlDocument(`${action.name}Response`, { requestId: randomUUID(), ...content }, namespace))
}

/** Whether the answer is the last page of several. */
export function endsList({ given }: Ec2Call, { status, body }: WireAnswer): boolean {
  const goesOn = given.some(([name]) => name === 'NextToken')
  return goesOn && status === 200 && !body.includes('<nextToken>')
}

export function refusal(failure: Failure, call: Ec2Call): WireAnswer {
  if (isSqs(call)) return refuseSqs(failure)
  const { code, message, status = statusOf(code) } = failure
  return xmlAnswer(
    status,
    xmlDocument('Response', { Errors: { Error: { Code: code, Message: message } }, RequestID: randomUUID() }),
  )
}

export function codeOf(answer: WireAnswer): string | undefined {
  const { status, body, headers } = answer
  if (headers['content-type']?.includes('json')) return sqsCodeOf(answer)
  return status < 400 ? undefined : /<Code>([^<]*)<\/Code>/.exec(body)?.[1]
}

function xmlAnswer(status: number, body: string): WireAnswer {
  return { status, headers: { 'content-type': 'text/xml;charset=UTF-8', server: 'AmazonEC2' }, body }
}
