import type { Ctx } from '../../../api/ctx.ts'
import { ApiError } from './api-error.ts'
import type { Connection } from './kubeconfig.ts'
import { lines } from './lines.ts'
import type { KubeObject, ObjectMeta, Resource } from '../../../api/meta.ts'
import { apiVersionOf, pathOf, type ObjectRef } from './resource.ts'
import { errorOfEvent } from './status.ts'
import { Transport, type Request, type TransportOptions } from './transport.ts'

export interface ClientOptions extends Pick<TransportOptions, 'userAgent' | 'maxAnswerBytes' | 'rate'> {
  /** The deadline of one request, except a watch. Default: 30 s. */
  readonly timeoutMs?: number
  /** A longer event of a watch breaks the watch. Default: 32 Mi characters. */
  readonly maxEventChars?: number
}

export interface Selection {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
}

export interface ListOptions extends Selection {
  readonly limit?: number
  readonly continue?: string | undefined
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}

export interface ListPage<T> {
  readonly items: T[]
  readonly resourceVersion: string
  /** The token of the next page; undefined on the last one. */
  readonly continue?: string
}

export interface WatchOptions extends Selection {
  /** The watch begins after this version. */
  readonly resourceVersion: string
  /** The server ends the watch after this time. */
  readonly timeoutSeconds?: number
  /** The watch fails with reason 'Silence' when nothing came for this time, not even a bookmark. Default: 90 s. */
  readonly silenceMs?: number
  /** Called when the server has accepted the watch. */
  readonly onOpen?: () => void
}

export interface WatchEvent<T> {
  /** The object of a BOOKMARK has only metadata.resourceVersion. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: T
}

export interface MergePatchOptions {
  /** A resourceVersion (or uid) in the patch's metadata is a precondition. */
  readonly patch: unknown
  readonly subresource?: string
}

/** RFC 6902. */
export type JsonPatchOperation =
  | { readonly op: 'test' | 'replace' | 'add'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

export interface ApplyOptions {
  readonly fieldManager: string
  /** Take over fields that another manager owns. */
  readonly force?: boolean
  readonly subresource?: string
}

export interface DeleteOptions {
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  /** Of a Pod. 0: the object goes at once, whatever still runs. */
  readonly gracePeriodSeconds?: number
}

/**
 * Requests to the API server. Objects are returned as they stand there: nothing is dropped or converted, and `T` is not
 * checked.
 *
 * Every failure is an ApiError, or the signal's reason when ctx has ended. Nothing is retried, except a GET once on a
 * connection that had gone stale. Errors for 429 and 503 carry `retryAfterMs` for the caller.
 */
export interface KubeClient {
  get<T = KubeObject>(resource: Resource, ref: ObjectRef, ctx: Ctx): Promise<T>
  list<T = KubeObject>(resource: Resource, options: ListOptions, ctx: Ctx): Promise<ListPage<T>>
  /**
   * Ends when the server ends the watch, and throws on everything else, also on ERROR events. It requests bookmarks.
   */
  watch<T = KubeObject>(resource: Resource, options: WatchOptions, ctx: Ctx): AsyncIterable<WatchEvent<T>>
  /** The namespace is that of the object. */
  create<T extends { metadata: ObjectMeta }>(resource: Resource, object: T, ctx: Ctx): Promise<T>
  mergePatch<T = KubeObject>(resource: Resource, ref: ObjectRef, options: MergePatchOptions, ctx: Ctx): Promise<T>
  /**
   * The tests are made on the object as it stands there, so other changes of it are no conflict. After a failed test it
   * throws with reason Invalid.
   */
  jsonPatch<T = KubeObject>(
    resource: Resource,
    ref: ObjectRef,
    operations: readonly JsonPatchOperation[],
    ctx: Ctx,
  ): Promise<T>
  /** Server-side apply. The object holds exactly the fields that `fieldManager` wants to own. */
  apply<T extends { metadata: ObjectMeta }>(resource: Resource, object: T, options: ApplyOptions, ctx: Ctx): Promise<T>
  delete(resource: Resource, ref: ObjectRef, options: DeleteOptions, ctx: Ctx): Promise<void>
  /** GET of a path that is not an object, as text: /version, /readyz. */
  raw(path: string, ctx: Ctx): Promise<string>
  /** Aborts all requests, watches too. */
  close(): Promise<void>
}

const json = 'application/json'

export function createClient(connection: Connection, given: ClientOptions): KubeClient {
  const { timeoutMs = 30_000, maxEventChars, ...options } = given
  const transport = new Transport(connection, { timeoutMs, ...options })
  const call = async <T>(request: Request, ctx: Ctx): Promise<T> =>
    parsed(await transport.text(request, ctx), `${request.method} ${request.path}`) as T

  return {
    get: (resource, ref, ctx) => run(() => call({ method: 'GET', path: pathOf(resource, ref) }, ctx)),

    async list<T>(resource: Resource, { namespace, ...options }: ListOptions, ctx: Ctx) {
      const path = pathOf(resource, { namespace }) + query({ ...options })
      return pageOf<T>(await call<unknown>({ method: 'GET', path }, ctx))
    },

    async *watch<T>(resource: Resource, { namespace, silenceMs = 90_000, onOpen, ...options }: WatchOptions, ctx: Ctx) {
      const parameters = query({ ...options, watch: true, allowWatchBookmarks: true })
      const request: Request = { method: 'GET', path: pathOf(resource, { namespace }) + parameters }
      for await (const line of lines(transport.stream(request, { silenceMs, onOpen }, ctx), maxEventChars)) {
        if (line.trim() !== '') yield eventOf<T>(line)
      }
    },

    create: (resource, object, ctx) =>
      run(() => {
        const path = pathOf(resource, { namespace: object.metadata.namespace })
        return call({ method: 'POST', path, body: { type: json, json: typed(resource, object) } }, ctx)
      }),

    mergePatch: (resource, ref, { patch, subresource }, ctx) =>
      run(() => {
        const path = pathOf(resource, { ...ref, subresource })
        return call({ method: 'PATCH', path, body: { type: 'application/merge-patch+json', json: patch } }, ctx)
      }),

    jsonPatch: (resource, ref, operations, ctx) =>
      run(() => {
        const body = { type: 'application/json-patch+json', json: operations }
        return call({ method: 'PATCH', path: pathOf(resource, ref), body }, ctx)
      }),

    apply: (resource, object, { fieldManager, force, subresource }, ctx) =>
      run(() => {
        const { namespace, name } = object.metadata
        const path = pathOf(resource, { namespace, name, subresource }) + query({ fieldManager, force })
        // JSON is YAML. Not every version serves the type `apply-patch+json`.
        const body = { type: 'application/apply-patch+yaml', json: typed(resource, object) }
        return call({ method: 'PATCH', path, body }, ctx)
      }),

    async delete(resource, ref, { uid, resourceVersion, ...how }, ctx) {
      const preconditions = uid || resourceVersion ? { preconditions: defined({ uid, resourceVersion }) } : {}
      const options = { apiVersion: 'v1', kind: 'DeleteOptions', ...defined(how), ...preconditions }
      const request: Request = { method: 'DELETE', path: pathOf(resource, ref), body: { type: json, json: options } }
      await transport.text(request, ctx)
    },

    raw: (path, ctx) => transport.text({ method: 'GET', path }, ctx),

    close: () => transport.close(),
  }
}

/** A path that cannot be built rejects the promise, like any other failure. */
async function run<T>(start: () => Promise<T>): Promise<T> {
  return start()
}

/** Items of a list have no kind and apiVersion, so an object that was read from one may lack them. */
function typed<T extends object>(resource: Resource, object: T): T & { apiVersion: string; kind: string } {
  return { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind }
}

function query(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') text.set(name, String(value))
  }
  return text.size === 0 ? '' : `?${text.toString()}`
}

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** The message of a JSON.parse error contains a part of the text, so it is dropped. */
function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw garbled(`The answer to ${what.replace(/\?.*$/s, '')} is not JSON.`)
  }
}

function pageOf<T>(answer: unknown): ListPage<T> {
  const { items, metadata } = (answer ?? {}) as {
    items?: T[] | null
    metadata?: { resourceVersion?: unknown; continue?: unknown }
  }
  const version = metadata?.resourceVersion
  if (typeof version !== 'string' || (items !== null && !Array.isArray(items))) {
    throw garbled('The answer to a list is not a list.')
  }
  const next = metadata?.continue
  return {
    items: items ?? [],
    resourceVersion: version,
    ...(typeof next === 'string' && next !== '' ? { continue: next } : {}),
  }
}

function eventOf<T>(line: string): WatchEvent<T> {
  const { type, object } = (parsed(line, 'a watch') ?? {}) as { type?: unknown; object?: unknown }
  if (type === 'ERROR') throw errorOfEvent(object)
  const known = type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED' || type === 'BOOKMARK'
  const version = (object as { metadata?: { resourceVersion?: unknown } | null } | null | undefined)?.metadata
  if (!known || typeof version?.resourceVersion !== 'string') throw garbled('A line of the watch is not an event.')
  return { type, object: object as T }
}

function garbled(message: string): ApiError {
  return new ApiError({ status: 0, reason: 'Garbled', message })
}
