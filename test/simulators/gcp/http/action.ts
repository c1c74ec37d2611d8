import { decodeBody, decodeQuery } from './decode.ts'
import type { Json } from '../../kit/http/decode-json.ts'
import { required } from './errors.ts'
import { masked, readMask } from './field-mask.ts'
import { boolean, text, type Fields, type Values } from '../../kit/http/schema.ts'
import type { Project } from '../project.ts'
import type { WireRequest } from '../../kit/http/wire.ts'

/** One method of GCE's API. */
export interface Action {
  /** As GCE calls it, such as `instances.insert`. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** After `/compute/v1/`, with `{parameter}` for what differs. */
  readonly path: string
  /** Throws GceError to refuse. */
  answer(call: ActionCall, project: Project): Json
}

/** What was asked for, as it came. */
export interface ActionCall {
  readonly request: WireRequest
  readonly parameters: Readonly<Record<string, string>>
}

interface Definition<Q extends Fields, B extends Fields> extends Pick<Action, 'name' | 'method' | 'path'> {
  /** Query parameters that GCE knows here, those of every call apart. */
  readonly query?: Q
  /** The message of the body; left out: there is none, and what is sent is passed over. */
  readonly body?: B
  /** The message of the answer: what a field mask may name. */
  readonly answers: Fields
  readonly perform: (given: Given<Q, B>, project: Project) => Json
}

export interface Given<Q extends Fields, B extends Fields> {
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Values<Q>
  readonly body: Values<B>
}

/** Every call of Google's takes these. */
const common = {
  $alt: text,
  $fields: text,
  $prettyPrint: boolean,
  '$.xgafv': text,
  access_token: text,
  alt: text,
  callback: text,
  fields: text,
  key: text,
  oauth_token: text,
  prettyPrint: boolean,
  quotaUser: text,
  userIp: text,
} as const

export function action<const Q extends Fields, const B extends Fields>(definition: Definition<Q, B>): Action {
  const { name, method, path, answers, perform } = definition
  const known: Fields = { ...common, ...definition.query }
  return {
    name,
    method,
    path,
    answer({ request, parameters }, project) {
      const query = decodeQuery(known, request.query)
      const wanted = (query['$fields'] ?? query['fields'] ?? headerOf(request)) as string | undefined
      const mask = wanted === undefined ? new Map() : readMask(wanted, answers)
      const body = definition.body ? decodeBody(definition.body, request.body) : {}
      const given = { parameters, query, body } as unknown as Given<Q, B>
      return masked(perform(given, project), mask) as Json
    },
  }
}

function headerOf({ headers }: WireRequest): string | undefined {
  const mask = headers['x-goog-fieldmask']
  return Array.isArray(mask) ? mask.join(',') : mask
}

/** A part of the path that the router has put there. */
export function parameterOf(parameters: Readonly<Record<string, string>>, name: string): string {
  const value = parameters[name]
  if (value === undefined) throw required(name)
  return value
}
