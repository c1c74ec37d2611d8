import type { Ctx } from '../../../api/ctx.ts'
import { ApiError } from './api-error.ts'
import type { KubeClient } from './client.ts'

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'patch' | 'apply' | 'delete' | 'raw'

/** One request to the API server that was answered or failed. A request that our own signal ended is neither. */
export interface RequestMade {
  readonly verb: Verb
  /** By the monotonic clock. */
  readonly begunAt: number
  readonly ms: number
  /** Undefined: the request was done. For a watch: it was accepted. */
  readonly error?: ApiError
}

/** The same client, with a callback for each request. */
export function observed(client: KubeClient, onRequest: (made: RequestMade) => void): KubeClient {
  const told = async <T>(verb: Verb, { clock }: Ctx, call: () => Promise<T>): Promise<T> => {
    const begunAt = clock.monotonic()
    const tell = (error?: ApiError) =>
      onRequest({ verb, begunAt, ms: clock.monotonic() - begunAt, ...(error ? { error } : {}) })
    try {
      const answer = await call()
      tell()
      return answer
    } catch (error) {
      if (error instanceof ApiError) tell(error)
      throw error
    }
  }
  return {
    get: (resource, ref, ctx) => told('get', ctx, () => client.get(resource, ref, ctx)),
    list: (resource, options, ctx) => told('list', ctx, () => client.list(resource, options, ctx)),
    create: (resource, object, ctx) => told('create', ctx, () => client.create(resource, object, ctx)),
    mergePatch: (resource, ref, options, ctx) =>
      told('patch', ctx, () => client.mergePatch(resource, ref, options, ctx)),
    jsonPatch: (resource, ref, operations, ctx) =>
      told('patch', ctx, () => client.jsonPatch(resource, ref, operations, ctx)),
    apply: (resource, object, options, ctx) => told('apply', ctx, () => client.apply(resource, object, options, ctx)),
    delete: (resource, ref, options, ctx) => told('delete', ctx, () => client.delete(resource, ref, options, ctx)),
    raw: (path, ctx) => told('raw', ctx, () => client.raw(path, ctx)),
    watch: (resource, options, ctx) => watched(client, onRequest)(resource, options, ctx),
    close: () => client.close(),
  }
}

/** A watch counts as one request, which ends when the watch is open. */
function watched(client: KubeClient, onRequest: (made: RequestMade) => void): KubeClient['watch'] {
  return async function* watch(resource, options, ctx) {
    const begunAt = ctx.clock.monotonic()
    const made = () => ({ verb: 'watch', begunAt, ms: ctx.clock.monotonic() - begunAt }) as const
    let isOpen = false
    const onOpen = () => {
      isOpen = true
      onRequest(made())
      options.onOpen?.()
    }
    try {
      yield* client.watch(resource, { ...options, onOpen }, ctx)
    } catch (error) {
      if (!isOpen && error instanceof ApiError) onRequest({ ...made(), error })
      throw error
    }
  }
}
