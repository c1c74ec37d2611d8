import { hashed } from '../../kit/http/hashed.ts'
import type { Call } from '../../kit/http/journal.ts'
import type { WireRequest } from '../../kit/http/wire.ts'
import type { Parameters } from './decode.ts'
import { Ec2Error, missing } from './errors.ts'

const version = '2016-11-15'

/** A call of the Query protocol: a form in the body of a POST, or the query string of a GET. */
export interface Ec2Call extends Call {
  readonly request: WireRequest
  readonly given: readonly (readonly [string, string])[]
}

export function readQueryCall(request: WireRequest): Ec2Call {
  const given = [...(request.method === 'GET' ? request.query : new URLSearchParams(request.body))]
  const action = given.find(([name]) => name === 'Action')?.[1] ?? ''
  return { action, show: () => show(given), request, given }
}

/** The parameters of the action itself. */
export function parametersOf({ request, given }: Ec2Call): Parameters {
  if (request.path !== '/' || !['GET', 'POST'].includes(request.method)) {
    throw new Ec2Error('InvalidAction', `There is no such address: ${request.method} ${request.path}`)
  }
  const parameters: Record<string, string> = Object.fromEntries(given)
  if (Object.keys(parameters).length < given.length) {
    throw new Ec2Error('MalformedQueryString', 'The query string names a parameter twice.')
  }
  const { Action: action, Version: asked, ...own } = parameters
  if (action === undefined) throw new Ec2Error('MissingAction', 'The request is missing an action')
  if (asked === undefined) throw missing('Version')
  if (asked !== version) {
    throw new Ec2Error('NoSuchVersion', `The requested version (${asked}) of service AmazonEC2 does not exist`)
  }
  return own
}

/** User data carries bootstrap tokens. */
function show(given: Ec2Call['given']): Readonly<Record<string, string>> {
  return Object.fromEntries(given.map(([name, value]) => [name, name === 'UserData' ? hashed(value) : value]))
}
