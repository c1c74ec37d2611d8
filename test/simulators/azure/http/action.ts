import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from '../account.ts'
import type { BucketName } from './buckets.ts'
import { ArmError } from './errors.ts'
import type { Operation } from './operations.ts'

/** What a call says, once it is known which call it is. */
export interface ArmRequest {
  /** What stands in the path, by the names of the action's own path. */
  readonly place: Readonly<Record<string, string>>
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Where the caller found the simulator, for links that lead back. */
  readonly origin: string
}

export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** One call of Azure's API. */
export interface Action {
  /** As Azure's specification calls it, such as `VirtualMachines_Get`. */
  readonly name: string
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE' | 'HEAD'
  /** With `{names}` for what it is about; else its case does not matter. */
  readonly path: string
  /** Every version of the API that may be asked for; left out: the authority's calls have none. */
  readonly versions?: readonly string[]
  /** From which buckets it takes, beside those that every call takes from. */
  readonly buckets?: readonly BucketName[]
  /** Throws ArmError to refuse. */
  perform(request: ArmRequest, account: Account): Reply
}

type Caller = (name: string, path: string, buckets: readonly BucketName[], perform: Action['perform']) => Action

/** Writes calls of one API down, by their methods: what a call is named, where it is, what it takes, what it does. */
export function callsOf(
  versions: readonly string[],
): Record<'get' | 'head' | 'put' | 'patch' | 'post' | 'remove', Caller> {
  const caller =
    (method: Action['method']): Caller =>
    (name, path, buckets, perform) => ({ name, method, path, versions, buckets, perform })
  return {
    get: caller('GET'),
    head: caller('HEAD'),
    put: caller('PUT'),
    patch: caller('PATCH'),
    post: caller('POST'),
    remove: caller('DELETE'),
  }
}

export function given({ place }: ArmRequest, name: string): string {
  const value = place[name]
  if (value === undefined) throw new Error(`The path of this action has no {${name}}`)
  return value
}

/** What was begun here, and where its outcome can be asked for. */
export function accepted(
  { status, body, operation }: { status: 200 | 201 | 202; body?: unknown; operation: Operation },
  { origin, query }: ArmRequest,
  { world }: Account,
): Reply {
  const url = new URL(
    `/subscriptions/${world.subscription}/providers/${operation.provider}/locations/${world.location}/operations/${operation.id}`,
    origin,
  )
  url.searchParams.set('api-version', query.get('api-version') ?? '')
  const monitor = `${url.href}&monitor=true`
  return {
    status,
    ...(body === undefined ? {} : { body }),
    headers: { 'azure-asyncoperation': url.href, ...(status === 202 ? { location: monitor } : {}) },
  }
}

/** A query parameter that must be one of these, where it is there. */
export function wordIn<const W extends string>(
  { query }: ArmRequest,
  parameter: string,
  words: readonly W[],
): W | undefined {
  const value = query.get(parameter)
  if (value === null) return undefined
  const found = words.find((word) => word.toLowerCase() === value.toLowerCase())
  if (found !== undefined) return found
  throw new ArmError('InvalidParameter', `The value '${value}' of parameter ${parameter} is invalid.`, {
    target: parameter,
  })
}

/** Whether a PUT may make, or may only change. Azure knows two ways to say so. */
export function checkPreconditions({ headers }: ArmRequest, existing: { readonly etag: string } | undefined): void {
  const { 'if-none-match': none, 'if-match': match } = headers
  if (none !== undefined && none !== '*') {
    throw new ArmError(
      'InvalidHeaderValue',
      `The value '${none}' of the header If-None-Match is not supported; use '*'.`,
    )
  }
  if (none === '*' && existing) {
    throw new ArmError('PreconditionFailed', 'The condition of If-None-Match is not met: the resource exists already.')
  }
  if (match === undefined || (existing && (match === '*' || match === existing.etag))) return
  throw new ArmError(
    'PreconditionFailed',
    'The condition of If-Match is not met: the resource is not the one expected.',
  )
}
