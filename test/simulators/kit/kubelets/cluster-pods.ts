import type { Ctx } from '../../../../api/ctx.ts'
import type { ObjectMeta } from '../../../../api/meta.ts'
import { createCache, type Cache, type Reflection } from '../../../../controllers/runtime/cache/cache.ts'
import { watching } from '../../../../controllers/runtime/cache/watching.ts'
import { isNotFound } from '../../../../controllers/runtime/client/api-error.ts'
import type { KubeClient } from '../../../../controllers/runtime/client/client.ts'
import { keyOf } from '../../../../controllers/runtime/client/resource.ts'
import { Queue } from '../../../../controllers/runtime/controller/queue.ts'
import type { Result } from '../../../../controllers/runtime/controller/result.ts'
import { runWatched } from '../../../../controllers/runtime/controller/run-watched.ts'
import { dutyOf, type Ending } from './pod-duty.ts'
import { isMirror, pods, type Pod } from './pod.ts'
import { endedStatus, refusedStatus, runningStatus } from './pod-status.ts'

/** Containers that have their SIGTERM. */
interface Dying {
  readonly uid: string | undefined
  /** The life of the machine that sent the signal: after a restart it is sent again. */
  readonly life: AbortSignal
  /** By the monotonic clock. */
  readonly at: number
  readonly killed: boolean
}

/**
 * Plays what kubelets do with Pods: runs those that are bound to their Node, and ends those that are deleted. No
 * container runs: a Pod is Running and Ready at once. A Pod of a Node that no living machine serves is left alone.
 */
export class ClusterPods {
  readonly #client: KubeClient
  readonly #queue: Queue
  readonly #cache: Reflection<Pod>
  /** By the name of the Node. The signal fires when the machine dies. */
  readonly #lives = new Map<string, AbortSignal>()
  readonly #dying = new Map<string, Dying>()
  readonly #statics = new Map<string, Pod>()

  constructor({ client, ctx }: { client: KubeClient; ctx: Ctx }) {
    this.#client = client
    this.#queue = new Queue({ clock: ctx.clock })
    this.#cache = createCache<Pod>({
      client,
      resource: pods,
      fieldSelector: 'spec.nodeName!=',
      project: (raw) => raw as Pod,
      indexes: { node: ({ spec }) => [spec.nodeName ?? ''] },
    })
  }

  /** From now on, and until `life` ends, a kubelet serves this Node. */
  serve(node: string, life: AbortSignal): void {
    this.#lives.set(node, life)
    for (const pod of this.#cache.by('node', node)) this.#queue.add(keyOf(pod))
  }

  /** Until ctx ends. */
  async run(ctx: Ctx): Promise<void> {
    const controller = {
      name: 'simulated-kubelets',
      queue: this.#queue,
      workers: 8,
      backoff: { initialMs: 200, maxMs: 5_000 },
      watches: [watching(this.#cache as Cache<Pod>, ({ before, after }) => [keyOf(named(after ?? before))])],
      reconcile: (key: string, passing: Ctx) => this.#pass(key, passing),
    }
    await Promise.all([this.#cache.run(ctx), runWatched(controller, ctx)])
  }

  async #pass(key: string, ctx: Ctx): Promise<Result> {
    const pod = this.#cache.get(key)
    const known = pod ?? this.#statics.get(key)
    const life = this.#lives.get(known?.spec.nodeName ?? '')
    if (!pod) this.#dying.delete(key)
    if (!known || !life || life.aborted) return 'done'
    try {
      const living = { ...ctx, signal: AbortSignal.any([ctx.signal, life]) }
      return await (pod ? this.#serve(pod, life, living) : this.#mirror(known, living))
    } catch (error) {
      if (life.aborted || isNotFound(error)) return 'done'
      throw error
    }
  }

  async #serve(pod: Pod, life: AbortSignal, ctx: Ctx): Promise<Result> {
    if (isMirror(pod)) this.#statics.set(keyOf(pod), pod)
    const now = ctx.clock.now()
    const duty = dutyOf(pod)
    if (duty === 'none') return 'done'
    if (duty === 'run') return this.#report(pod, runningStatus(pod, now), ctx)
    if (duty === 'refuse') return this.#report(pod, refusedStatus(), ctx)
    if (duty === 'remove') return this.#remove(pod, ctx)
    const { at, killed } = this.#dies(pod, duty, life, ctx)
    const leftMs = at - ctx.clock.monotonic()
    if (leftMs > 0) return { requeueAfterMs: leftMs, reason: 'its containers have not ended yet' }
    return this.#report(pod, endedStatus(pod, killed, now), ctx)
  }

  /** The earliest end counts: a second deletion can only shorten the grace period. */
  #dies(pod: Pod, { withinMs, killed }: Ending, life: AbortSignal, ctx: Ctx): Dying {
    const { uid } = pod.metadata
    const told = { uid, life, at: ctx.clock.monotonic() + withinMs, killed }
    const before = this.#dying.get(keyOf(pod))
    const same = before !== undefined && before.uid === uid && before.life === life
    const dying = same && before.at <= told.at ? before : told
    this.#dying.set(keyOf(pod), dying)
    return dying
  }

  async #report({ metadata: { name, namespace, uid } }: Pod, status: object, ctx: Ctx): Promise<Result> {
    const metadata = { name, ...(namespace ? { namespace } : {}), ...(uid ? { uid } : {}) }
    const how = { fieldManager: 'simulated-kubelet', force: true, subresource: 'status' }
    await this.#client.apply(pods, { metadata, status }, how, ctx)
    return 'done'
  }

  /** Only this very Pod: another one may have its name by now. */
  async #remove({ metadata: { name, namespace = '', uid } }: Pod, ctx: Ctx): Promise<Result> {
    await this.#client.delete(pods, { name, namespace }, { uid, gracePeriodSeconds: 0 }, ctx)
    return 'done'
  }

  /** Shows a static Pod in the API again. */
  async #mirror({ metadata, spec }: Pod, ctx: Ctx): Promise<Result> {
    const { name, namespace, labels, annotations, ownerReferences } = metadata
    const kept = { name, namespace, labels, annotations, ownerReferences } as ObjectMeta
    await this.#client.create(pods, { metadata: kept, spec }, ctx)
    return 'done'
  }
}

function named(pod: Pod | undefined): Pod {
  if (!pod) throw new Error('A change of a Pod has the Pod before or after it.')
  return pod
}
