import type { Ctx } from '../../api/ctx.ts'
import { Deadline } from '../../api/deadline.ts'
import { ApiError, isUnauthorized } from '../runtime/client/api-error.ts'
import { createClient, type KubeClient } from '../runtime/client/client.ts'
import { KubeconfigNotSupported, type Connection } from '../runtime/client/kubeconfig.ts'
import type { Request } from '../runtime/client/transport.ts'
import { endOf } from './credentials.ts'
import {
  clusterKey,
  KubeconfigMissing,
  KubeconfigUnread,
  readKubeconfigSecret,
  type ClusterRef,
  type KubeconfigSecret,
} from './secret.ts'
import { Turns } from './turns.ts'

/** The connection to a workload cluster. */
export interface Workload {
  readonly client: KubeClient
  readonly server: string
  /** The Secret of the kubeconfig. */
  readonly secret: { readonly name: string; readonly version: string; readonly isLabelled: boolean }
  /** When its credentials expire, in milliseconds. Undefined if they do not say. */
  readonly credentialsEndAt: number | undefined
}

/**
 * The credentials that the Secret holds now are refused too. The error is repeated during the rest, like any other
 * failure.
 */
export class CredentialsRefused extends ApiError {
  readonly credentialsEndAt: number | undefined

  constructor({ status, reason, message }: ApiError, { credentialsEndAt }: Workload) {
    super({ status, reason, message })
    this.credentialsEndAt = credentialsEndAt
  }
}

/** The work with a workload cluster. `own` ends after the timeout. */
export type Use<T> = (client: KubeClient, own: Ctx, workload: Workload) => Promise<T>

interface Kept {
  readonly opening: Promise<Workload>
  readonly readAt: number
  usedAt: number
}

interface Trouble {
  readonly thrown: unknown
  /** No call is made until then. */
  until: number
}

/** A changed Secret is read after this time at the latest, even if its old content still works. */
const freshForMs = 60_000
/** For this long after a failure every caller gets that failure. Then one caller tries, and the others after it. */
const restMs = 5_000
/** The limit of one request and of one use: a slow workload cluster must not hold workers that others need. */
const timeoutMs = 10_000
/** A Node has at most 1.5 MiB in etcd, in a shorter form than JSON, as a page of Pods has. All else is small. */
const maxLongBytes = 4 * 1024 * 1024
const maxOtherBytes = 64 * 1024
/** A client that was not used for this long is closed. Nothing tells us when its Cluster is gone. */
const forgottenAfterMs = 60 * 60_000

/**
 * Clients of workload clusters, from the Secret `<cluster>-kubeconfig` that core reads too. A client is kept while its
 * Secret stays the same and the cluster answers it.
 */
export class WorkloadClients {
  readonly #management: KubeClient
  /** Promises, so that concurrent callers share one client, and no client is left open. */
  readonly #kept = new Map<string, Kept>()
  readonly #troubles = new Map<string, Trouble>()
  /** By cluster: the fault of its kubeconfig. It is parsed again when the Secret has another version. */
  readonly #refused = new Map<string, { readonly version: string; readonly thrown: unknown }>()
  readonly #turns = new Turns()

  constructor(management: KubeClient) {
    this.#management = management
  }

  /**
   * Runs `use` with the cluster's client and a ctx that ends after ten seconds. If the client is refused or gets no
   * answer, and the Secret has changed since, `use` runs a second time with a new client.
   *
   * Throws KubeconfigMissing, KubeconfigNotSupported, KubeconfigUnread or what `use` throws. While the cluster rests
   * after a failure, it throws that failure at once. It throws WorkloadBusy if other callers are ahead. A caller that
   * has to come in time gives its name, and keeps its place until it comes back.
   */
  async with<T>(cluster: ClusterRef, use: Use<T>, ctx: Ctx, caller?: string): Promise<T> {
    const key = clusterKey(cluster)
    // A known failure is thrown at once, before the wait for a turn.
    this.#unlessResting(key, ctx)
    return this.#turns.take(key, () => this.#tried(cluster, use, ctx), ctx, caller)
  }

  async #tried<T>(cluster: ClusterRef, use: Use<T>, ctx: Ctx): Promise<T> {
    const key = clusterKey(cluster)
    this.#beginTrial(key, ctx)
    try {
      const result = await this.#used(cluster, use, ctx)
      this.#troubles.delete(key)
      return result
    } catch (thrown) {
      if (isTrouble(thrown)) this.#troubles.set(key, { thrown, until: ctx.clock.monotonic() + restMs })
      else this.#troubles.delete(key)
      throw thrown
    }
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled([...this.#kept.values()].map(({ opening }) => opening))
    this.#kept.clear()
    for (const one of opened) if (one.status === 'fulfilled') await one.value.client.close()
  }

  /** The first caller that has its turn after a rest tries. Others get the last failure at once. */
  #beginTrial(key: string, ctx: Ctx): void {
    this.#unlessResting(key, ctx)
    const trouble = this.#troubles.get(key)
    if (trouble) trouble.until = ctx.clock.monotonic() + timeoutMs + restMs
  }

  #unlessResting(key: string, { clock }: Ctx): void {
    const trouble = this.#troubles.get(key)
    if (trouble && clock.monotonic() < trouble.until) throw trouble.thrown
  }

  async #used<T>(cluster: ClusterRef, use: Use<T>, ctx: Ctx): Promise<T> {
    const first = await this.#current(cluster, ctx)
    try {
      return await inTime(use, first, ctx)
    } catch (thrown) {
      if (!isWorthReopening(thrown)) throw thrown
      await this.#forget(cluster, first)
      const second = await this.#current(cluster, ctx)
      if (second.secret.version === first.secret.version) throw refusedOf(thrown, first)
      return inTime(use, second, ctx).catch((again: unknown) => {
        throw refusedOf(again, second)
      })
    }
  }

  async #current(cluster: ClusterRef, ctx: Ctx): Promise<Workload> {
    const key = clusterKey(cluster)
    const now = ctx.clock.monotonic()
    const before = this.#kept.get(key)
    if (before && now - before.readAt < freshForMs) {
      before.usedAt = now
      return before.opening
    }
    const opening = this.#open(cluster, before, ctx)
    const kept = { opening, readAt: now, usedAt: now }
    this.#kept.set(key, kept)
    try {
      return await opening
    } catch (thrown) {
      // A failure is retried by the next caller. A client that works is used while the Secret cannot be read.
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
      throw thrown
    } finally {
      await this.#sweep(now)
    }
  }

  async #open(cluster: ClusterRef, before: Kept | undefined, ctx: Ctx): Promise<Workload> {
    const served = before && (await before.opening.catch(() => undefined))
    try {
      const secret = await readKubeconfigSecret(cluster, this.#management, ctx)
      const { name, version, isLabelled } = secret
      if (served?.secret.version === version) return served
      const connection = this.#connectionOf(clusterKey(cluster), secret)
      const token = await connection.token?.()
      const workload = {
        client: createClient(connection, { userAgent: 'cluster-api-provider-spot', timeoutMs, maxAnswerBytes }),
        server: connection.server,
        secret: { name, version, isLabelled },
        credentialsEndAt: endOf({ token, cert: connection.cert }),
      }
      await served?.client.close()
      return workload
    } catch (thrown) {
      if (served && thrown instanceof KubeconfigUnread) return served
      await served?.client.close()
      throw thrown
    }
  }

  /** A faulty kubeconfig is parsed once for each version, however often it is requested. */
  #connectionOf(key: string, secret: KubeconfigSecret): Connection {
    const { version } = secret
    const refused = this.#refused.get(key)
    if (refused?.version === version) throw refused.thrown
    this.#refused.delete(key)
    try {
      return secret.connection()
    } catch (thrown) {
      this.#refused.set(key, { version, thrown })
      throw thrown
    }
  }

  /** The next use reads the Secret again, unless another use has done so already. */
  async #forget(cluster: ClusterRef, refused: Workload): Promise<void> {
    const kept = this.#kept.get(clusterKey(cluster))
    if (!kept || (await kept.opening.catch(() => undefined)) !== refused) return
    if (this.#kept.get(clusterKey(cluster)) === kept) this.#kept.delete(clusterKey(cluster))
    await refused.client.close()
  }

  async #sweep(now: number): Promise<void> {
    for (const [key, { opening, usedAt }] of this.#kept) {
      if (now - usedAt <= forgottenAfterMs) continue
      this.#kept.delete(key)
      const [opened] = await Promise.allSettled([opening])
      if (opened.status === 'fulfilled') await opened.value.client.close()
    }
    for (const [key, { until }] of this.#troubles) {
      if (now - until <= forgottenAfterMs) continue
      this.#troubles.delete(key)
      this.#refused.delete(key)
    }
    this.#turns.sweep(forgottenAfterMs, now)
  }
}

function maxAnswerBytes({ path }: Request): number {
  return /^\/api\/v1\/(nodes\/|pods\?)/.test(path) ? maxLongBytes : maxOtherBytes
}

async function inTime<T>(use: Use<T>, workload: Workload, ctx: Ctx): Promise<T> {
  const message = `The API server of the workload cluster did not answer within ${timeoutMs / 1000} s.`
  using deadline = new Deadline(timeoutMs, () => new ApiError({ status: 0, reason: 'Timeout', message }), ctx)
  return await use(workload.client, { ...ctx, signal: deadline.signal }, workload)
}

/** A fault of the workload cluster or its kubeconfig, and not of us or the management cluster. */
export function isOfWorkload(thrown: unknown): thrown is Error {
  return isOfKubeconfig(thrown) || thrown instanceof ApiError
}

/** A fault of every call, and not of one. */
function isTrouble(thrown: unknown): boolean {
  return isOfKubeconfig(thrown) || isWorthReopening(thrown)
}

function isOfKubeconfig(thrown: unknown): boolean {
  return thrown instanceof KubeconfigMissing || thrown instanceof KubeconfigNotSupported
}

function refusedOf(thrown: unknown, workload: Workload): unknown {
  return isUnauthorized(thrown) ? new CredentialsRefused(thrown as ApiError, workload) : thrown
}

/**
 * No answer, or refused credentials: the Secret may have another address or token by now. Any other refusal comes from
 * the right cluster, and a new client would get it too.
 */
function isWorthReopening(thrown: unknown): boolean {
  return thrown instanceof ApiError && (thrown.status === 0 || thrown.status === 401)
}
