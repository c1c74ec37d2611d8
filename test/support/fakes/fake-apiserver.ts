import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { shortMessage } from '../short-message.ts'
import type { Condition } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { mergePatchOf } from './merge-patch-of.ts'
import { ApiError } from '../../../controllers/runtime/client/api-error.ts'
import type { Cache, Change } from '../../../controllers/runtime/cache/cache.ts'
import type {
  ApplyOptions,
  KubeClient,
  ListOptions,
  ListPage,
  JsonPatchOperation,
  MergePatchOptions,
} from '../../../controllers/runtime/client/client.ts'
import type { KubeObject, ObjectMeta, Resource } from '../../../api/meta.ts'
import { keyOf, type ObjectRef } from '../../../controllers/runtime/client/resource.ts'

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

const roleFile = join(import.meta.dirname, '..', '..', '..', 'config', 'rbac', 'role.yaml')
const { rules } = load(readFileSync(roleFile, 'utf8')) as { rules: readonly Rule[] }
const granted = new Set(
  rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((name) => verbs.map((verb) => `${verb} ${group}/${name}`))),
  ),
)
const ruled = new Set(['cluster.x-k8s.io', 'spot.cluster.x-k8s.io'])

type Stored = KubeObject & Record<string, unknown>

/** All that it holds at one moment. */
export interface Copy {
  readonly objects: ReadonlyMap<string, Stored>
  readonly applied: ReadonlyMap<string, readonly string[]>
  readonly version: number
}

type Conditioned = KubeObject & { status: { conditions: readonly Condition[] } }

/**
 * Objects in memory with what our controllers lean on: resourceVersion and uid as preconditions, finalizers, merge
 * patches, and conditions that each of their writers applies by itself.
 */
export class FakeApiserver {
  readonly objects = new Map<string, Stored>()
  readonly writes: { kind: string; key: string; patch: object; subresource?: string }[] = []
  /** Called before each write: a test throws here to cut a pass off. */
  beforeWrite: (patch: object) => void = () => {}
  /** Told of each change, in order, as a watch would be: with what stands there now, or nothing. */
  onChange: (kind: string, key: string, object: KubeObject | undefined) => void = () => {}
  #version = 1
  /** The types of the conditions that each field manager has applied to an object. */
  readonly #applied = new Map<string, readonly string[]>()

  put(kind: string, object: KubeObject): void {
    const metadata = { ...object.metadata, resourceVersion: String(this.#version++) }
    this.#set(kind, { ...object, metadata })
  }

  get(kind: string, key: string): Stored | undefined {
    return this.objects.get(`${kind} ${key}`)
  }

  /** As a user or core does: what has a finalizer stays until that is gone. */
  markDeleted(kind: string, key: string, at: string): void {
    const object = this.objects.get(`${kind} ${key}`)
    if (!object) return
    this.put(kind, { ...object, metadata: { ...object.metadata, deletionTimestamp: at } })
    this.#sweep(kind, key)
  }

  /** Gone at once, whatever finalizers it has. */
  remove(kind: string, key: string): void {
    if (this.objects.delete(`${kind} ${key}`)) this.onChange(kind, key, undefined)
  }

  copy(): Copy {
    return { objects: new Map(this.objects), applied: new Map(this.#applied), version: this.#version }
  }

  /** As from a backup: versions are given a second time. Whoever watches has to look anew by itself. */
  putBack({ objects, applied, version }: Copy): void {
    this.objects.clear()
    for (const [key, object] of objects) this.objects.set(key, object)
    this.#applied.clear()
    for (const [owner, types] of applied) this.#applied.set(owner, types)
    this.#version = version
  }

  /** A cache that is always up to date. */
  cache<T extends KubeObject>(kind: string): Cache<T> {
    const list = () => [...this.objects].filter(([key]) => key.startsWith(`${kind} `)).map(([, object]) => object)
    return {
      get: (key) => this.get(kind, key) as unknown as T | undefined,
      list: () => list() as unknown as T[],
      by: () => list() as unknown as T[],
      hasSynced: () => true,
      connected: () => true,
      synced: () => Promise.resolve(),
      onChange: (_listener: (change: Change<T>) => void) => () => {},
      run: () => Promise.resolve(),
    }
  }

  client(): KubeClient {
    const unused = () => Promise.reject(new Error('This call is not part of the fake'))
    return {
      get: async <T>(resource: Resource, ref: ObjectRef) => {
        authorize('get', resource)
        return this.#read(resource, ref) as unknown as T
      },
      mergePatch: async <T>(resource: Resource, ref: ObjectRef, options: MergePatchOptions, _ctx: Ctx) => {
        authorize('patch', resource, options.subresource)
        return this.#patch(resource, ref, options) as unknown as T
      },
      jsonPatch: async <T>(resource: Resource, ref: ObjectRef, operations: readonly JsonPatchOperation[]) => {
        authorize('patch', resource)
        this.beforeWrite(operations)
        const patch = mergePatchOf(this.#read(resource, ref), operations)
        return this.#merge(resource, ref, { patch }) as unknown as T
      },
      list: async <T>(resource: Resource, options: ListOptions) => {
        authorize('list', resource)
        return this.#list(resource, options) as Promise<ListPage<T>>
      },
      watch: () => {
        throw new Error('This call is not part of the fake')
      },
      create: async <T extends { metadata: ObjectMeta }>(resource: Resource, object: T) => {
        authorize('create', resource)
        return this.#create(resource, object) as unknown as T
      },
      apply: async <T extends { metadata: ObjectMeta }>(resource: Resource, object: T, options: ApplyOptions) => {
        authorize('patch', resource, options.subresource)
        return this.#apply(resource, object as unknown as Conditioned, options) as unknown as T
      },
      delete: async (resource, ref, { uid }) => {
        authorize('delete', resource)
        this.#delete(resource, ref, uid)
      },
      raw: unused,
      close: () => Promise.resolve(),
    }
  }

  #read({ kind }: Resource, { namespace, name }: ObjectRef): Stored {
    const object = this.objects.get(`${kind} ${keyOf({ metadata: namespace ? { namespace, name } : { name } })}`)
    if (!object) throw new ApiError({ status: 404, reason: 'NotFound', message: `${kind} ${name} not found` })
    return object
  }

  async #list({ kind }: Resource, { namespace }: ListOptions): Promise<ListPage<Stored>> {
    const all = [...this.objects].filter(([key]) => key.startsWith(`${kind} `)).map(([, object]) => object)
    const items = all.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
    return { items, resourceVersion: String(this.#version) }
  }

  /** At one blow: of two that write at the same time one comes after the other. */
  #patch(resource: Resource, ref: ObjectRef, options: MergePatchOptions): Stored {
    const change = options.patch as object
    for (const { message } of conditionsIn(change)) shortMessage(message)
    this.beforeWrite(change)
    return this.#merge(resource, ref, options)
  }

  #merge(resource: Resource, ref: ObjectRef, { patch, subresource }: MergePatchOptions): Stored {
    const change = patch as object
    const object = this.#read(resource, ref)
    const { resourceVersion: wanted, uid } = (patch as { metadata?: Partial<ObjectMeta> }).metadata ?? {}
    if (uid !== undefined && uid !== object.metadata.uid) {
      throw new ApiError({ status: 422, reason: 'Invalid', message: 'metadata.uid: field is immutable' })
    }
    if (wanted !== undefined && wanted !== object.metadata.resourceVersion) {
      throw new ApiError({ status: 409, reason: 'Conflict', message: 'the object has been modified' })
    }
    this.writes.push({
      kind: resource.kind,
      key: keyOf(object),
      patch: change,
      ...(subresource ? { subresource } : {}),
    })
    const next = merge(object, patch) as Stored
    next.metadata = { ...next.metadata, resourceVersion: String(this.#version++) }
    this.#set(resource.kind, next)
    this.#sweep(resource.kind, keyOf(next))
    return next
  }

  #create({ kind }: Resource, object: Stored): Stored {
    const key = keyOf(object)
    if (this.get(kind, key)) throw new ApiError({ status: 409, reason: 'AlreadyExists', message: `${kind} ${key}` })
    this.beforeWrite(object)
    this.writes.push({ kind, key, patch: object })
    this.put(kind, { ...object, metadata: { uid: `uid-${this.#version}`, ...object.metadata } })
    return this.get(kind, key) as Stored
  }

  /** Of conditions alone, which is all that our controllers apply: those of other writers stay. */
  #apply(resource: Resource, { metadata, status }: Conditioned, { fieldManager, subresource }: ApplyOptions): Stored {
    const { namespace, name } = metadata
    const ref = namespace ? { namespace, name } : { name }
    const object = this.#read(resource, ref)
    this.#expectUid(object, metadata.uid)
    const owner = `${fieldManager} ${resource.kind} ${keyOf(object)}`
    const types = status.conditions.map(({ type }) => type)
    const mine = new Set([...(this.#applied.get(owner) ?? []), ...types])
    this.#applied.set(owner, types)
    const others =
      (object as { status?: Partial<Conditioned['status']> }).status?.conditions?.filter(
        ({ type }) => !mine.has(type),
      ) ?? []
    const patch = { status: { conditions: [...others, ...status.conditions] } }
    return this.#patch(resource, ref, { patch, ...(subresource ? { subresource } : {}) })
  }

  #delete(resource: Resource, ref: ObjectRef, uid: string | undefined): void {
    const object = this.#read(resource, ref)
    this.#expectUid(object, uid)
    this.beforeWrite(object)
    this.markDeleted(resource.kind, keyOf(object), '2026-01-01T00:00:00Z')
  }

  #expectUid({ metadata }: Stored, uid: string | undefined): void {
    if (uid === undefined || uid === metadata.uid) return
    throw new ApiError({ status: 409, reason: 'Conflict', message: 'the UID in the precondition is another' })
  }

  #set(kind: string, object: Stored): void {
    this.objects.set(`${kind} ${keyOf(object)}`, object)
    this.onChange(kind, keyOf(object), object)
  }

  #sweep(kind: string, key: string): void {
    const metadata = this.get(kind, key)?.metadata
    if (metadata?.deletionTimestamp && !metadata.finalizers?.length) this.remove(kind, key)
  }
}

/** As RBAC does with the role that is installed. What is no kind of ours or of core has a role of its own. */
function authorize(verb: string, { group, plural }: Resource, subresource?: string): void {
  const name = subresource === undefined ? plural : `${plural}/${subresource}`
  if (!ruled.has(group) || granted.has(`${verb} ${group}/${name}`)) return
  const message = `The manager's role does not grant: ${verb} ${name}.${group}`
  throw new ApiError({ status: 403, reason: 'Forbidden', message })
}

/** RFC 7386. */
function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field]
    else result[field] = merge(result[field], value)
  }
  return result
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function conditionsIn(change: {
  status?: { conditions?: readonly Partial<Condition>[] }
}): readonly Partial<Condition>[] {
  return change.status?.conditions ?? []
}
