import { randomUUID } from 'node:crypto'
import type { Failure } from '../common/faults.ts'
import type { WireAnswer } from '../common/wire.ts'
import type { Account } from './account.ts'
import type { Action } from './action.ts'
import { imageActions } from './actions/images.ts'
import { instanceTypeActions } from './actions/instance-types.ts'
import { instanceActions } from './actions/instances.ts'
import { networkActions } from './actions/networks.ts'
import { placeActions } from './actions/places.ts'
import { spotRequestActions } from './actions/spot-requests.ts'
import { tagActions } from './actions/tags.ts'
import { parametersOf, type Ec2Call } from './call.ts'
import { Ec2Error, statusOf } from './errors.ts'
import { runInstances } from './run-instances/action.ts'
import { authenticate, type AccessKeys } from './signature.ts'
import { xmlDocument } from './xml.ts'

const namespace = 'http://ec2.amazonaws.com/doc/2016-11-15/'

const actions: ReadonlyMap<string, Action> = new Map(
  [
    runInstances,
    ...instanceActions,
    ...imageActions,
    ...instanceTypeActions,
    ...networkActions,
    ...placeActions,
    ...spotRequestActions,
    ...tagActions,
  ].map((action) => [action.name, action]),
)

/** Does one call. A refusal of EC2 is an answer; anything else that is thrown is a mistake of the simulator. */
export function answerCall(call: Ec2Call, account: Account, keys: AccessKeys): WireAnswer {
  try {
    authenticate(call.request, account.world.region, keys)
    const parameters = parametersOf(call)
    const action = actions.get(call.action)
    if (!action) {
      throw new Ec2Error('InvalidAction', `The action ${call.action} is not valid for this web service.`)
    }
    const content = action.answer(parameters, account)
    return xmlAnswer(200, xmlDocument(`${action.name}Response`, { requestId: randomUUID(), ...content }, namespace))
  } catch (error) {
    if (error instanceof Ec2Error) return refusal(error)
    throw error
  }
}

export function refusal({ code, message, status = statusOf(code) }: Failure): WireAnswer {
  return xmlAnswer(
    status,
    xmlDocument('Response', { Errors: { Error: { Code: code, Message: message } }, RequestID: randomUUID() }),
  )
}

export function codeOf({ status, body }: WireAnswer): string | undefined {
  return status < 400 ? undefined : /<Code>([^<]*)<\/Code>/.exec(body)?.[1]
}

function xmlAnswer(status: number, body: string): WireAnswer {
  return { status, headers: { 'content-type': 'text/xml;charset=UTF-8', server: 'AmazonEC2' }, body }
}
