import { ApiError } from '../../controllers/runtime/client/api-error.ts'
import type { KubeClient } from '../../controllers/runtime/client/client.ts'
import { keyOf } from '../../controllers/runtime/client/resource.ts'
import type { Surroundings } from './manager.ts'
import { asOlderVersion } from './older-version.ts'
import type { Process } from './process.ts'
import { patchName, type WriteName } from './writes.ts'

export function unreachable(): ApiError {
  return new ApiError({ status: 0, reason: 'Unreachable', message: 'The API server does not answer' })
}

/** The API server for one process: over the wire, and not while it is away. */
export function kubeAccess(
  { apiserver, wire, isUp, onDelete }: Pick<Surroundings, 'apiserver' | 'wire' | 'isUp' | 'onDelete'>,
  process: Process,
): KubeClient {
  const client = apiserver.client()
  const call = async <T>(name: 'read' | WriteName, run: () => Promise<T>): Promise<T> => {
    const of = name === 'read' ? undefined : name
    const send = () => {
      if (!isUp()) throw unreachable()
      const done = run()
      // It is done at once. The caller hears of a failure later, if at all.
      done.catch(() => {})
      return { done }
    }
    const answer = await wire.call(process, of ? 'write' : 'read', send, of)
    return answer.done
  }
  return {
    ...client,
    get: (...args) => call('read', () => client.get(...args)),
    list: (...args) => call('read', () => client.list(...args)),
    mergePatch: (resource, ref, options, ctx) => {
      const patch = () => {
        if (!process.isOlder) return options.patch
        return asOlderVersion(options.patch as object, apiserver.get(resource.kind, keyOf({ metadata: ref })))
      }
      const send = () => client.mergePatch<never>(resource, ref, { ...options, patch: patch() }, ctx)
      return call(patchName(options.patch as object), send)
    },
    create: (...args) => call('new object', () => client.create(...args)),
    apply: (...args) => call('conditions', () => client.apply(...args)),
    delete: (...args) =>
      call('removal', () => {
        onDelete(args[0], args[1], args[2])
        return client.delete(...args)
      }),
  }
}
