import type { Places } from '../../kit/http/routes.ts'
import type { WireRequest } from '../../kit/http/wire.ts'
import type { Account } from '../account.ts'
import { decode } from './decode.ts'
import { badParameter, IbmError } from './errors.ts'
import type { Fields, Values } from '../../kit/http/schema.ts'
import type { Base } from './write.ts'

/** What an action has to go by. */
export interface Asked {
  readonly request: WireRequest
  readonly path: Places
  readonly query: URLSearchParams
  /** Which API is wanted: it differs by date. */
  readonly version: string
  /** Where resources are, as their addresses in the answer say. */
  readonly base: Base
}

export interface Answer {
  readonly status: number
  /** Undefined: none. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** One call of the API, by the name that IBM's description of it gives to it. */
export interface Action {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `{name}` where something is asked for by name. */
  readonly path: string
  /** Who calls need not have said who it is. */
  readonly isOpen?: true
  /** Throws IbmError to refuse. */
  answer(asked: Asked, account: Account): Answer
}

interface Definition<F extends Fields> extends Pick<Action, 'name' | 'method' | 'path'> {
  /** What the body may say; left out: there is none. */
  readonly fields?: F
  readonly perform: (values: Values<F>, asked: Asked, account: Account) => Answer
}

/** What every call says beside its own parameters. */
export const commonParameters = ['version', 'generation'] as const

export function action<const F extends Fields>({ fields, perform, ...rest }: Definition<F>): Action {
  return {
    ...rest,
    answer(asked, account) {
      const { unknownFields: unknown } = account.switches.behaviour
      refuseUnknownParameters(asked.query, commonParameters, unknown)
      return perform(decode(fields ?? ({} as F), fields ? bodyOf(asked.request) : '{}', unknown), asked, account)
    },
  }
}

export function refuseUnknownParameters(
  query: URLSearchParams,
  known: readonly string[],
  unknown: 'refused' | 'ignored',
): void {
  if (unknown === 'ignored') return
  const found = [...query.keys()].find((name) => !known.includes(name))
  if (found === undefined) return
  throw badParameter('invalid_request_field', found, 'A parameter provided in the request is not valid.')
}

function bodyOf({ headers, body }: WireRequest): string {
  const type = headers['content-type'] ?? ''
  if (/^application\/(merge-patch\+)?json\b/.test(type)) return body
  throw new IbmError('bad_request', 'The request must have a JSON body, and say so.', {
    name: 'Content-Type',
    type: 'header',
    value: type,
  })
}
