import { randomUUID } from 'node:crypto'
import type { WireAnswer } from '../../kit/http/wire.ts'
import type { Account } from '../account.ts'
import type { Ec2Call } from './call.ts'
import { Ec2Error } from './errors.ts'
import { accessKeyOf, authenticate, type AccessKeys } from './signature.ts'
import { xmlDocument } from './xml.ts'

const namespace = 'https://sts.amazonaws.com/doc/2011-06-15/'
const version = '2011-06-15'

/** What STS calls that which EC2 calls AuthFailure. */
const words: Readonly<Record<string, readonly [status: number, code: string]>> = {
  AuthFailure: [403, 'InvalidClientTokenId'],
  MissingAuthenticationToken: [403, 'MissingAuthenticationToken'],
  IncompleteSignature: [400, 'IncompleteSignature'],
}

/** STS stands behind the same port; it is known by its own version of the Query protocol. */
export function isForSts({ given }: Ec2Call): boolean {
  return given.some(([name, value]) => name === 'Version' && value === version)
}

/** GetCallerIdentity, which needs no permission: whoever signs is told who that is. */
export function answerSts(call: Ec2Call, { world }: Account, keys: AccessKeys): WireAnswer {
  try {
    authenticate(call.request, world.region, keys, 'sts')
    if (call.action !== 'GetCallerIdentity') throw new Ec2Error('InvalidAction', `There is no action ${call.action}.`)
    const key = accessKeyOf(call.request)
    const content = {
      GetCallerIdentityResult: {
        Arn: `arn:aws:iam::${world.accountId}:user/simulated`,
        UserId: key,
        Account: world.accountId,
      },
      ResponseMetadata: { RequestId: randomUUID() },
    }
    return answer(200, xmlDocument('GetCallerIdentityResponse', content, namespace))
  } catch (error) {
    if (!(error instanceof Ec2Error)) throw error
    const [status, code] = words[error.code] ?? [400, error.code]
    const content = { Error: { Type: 'Sender', Code: code, Message: error.message }, RequestId: randomUUID() }
    return answer(status, xmlDocument('ErrorResponse', content, namespace))
  }
}

function answer(status: number, body: string): WireAnswer {
  return { status, headers: { 'content-type': 'text/xml' }, body }
}
