import type { Ctx } from '../../api/ctx.ts'
import { secrets } from '../../api/kinds.ts'
import { ApiError } from '../runtime/api-error.ts'
import { createClient, type KubeClient } from '../runtime/client.ts'
import { parseWorkloadKubeconfig } from '../runtime/kubeconfig.ts'

export interface ClusterRef {
  readonly namespace: string
  readonly name: string
}

interface KubeconfigSecret {
  metadata: { name: string; resourceVersion?: string }
  data?: Record<string, string>
}

/** The Secret with the kubeconfig is there, but nothing can be made of it. The message is for people. */
export class KubeconfigMissing extends Error {
  override readonly name = 'KubeconfigMissing'
}

/**
 * Clients to workload clusters, from the Secret `<cluster>-kubeconfig` that core reads too. One is kept until it is
 * refused or does not answer: then the Secret is read again, for it may have been rotated.
 */
export class WorkloadClients {
  readonly #management: KubeClient
  /** As promises: callers that come together share one client, and none is left open unseen. */
  #clients = new Map<string, Promise<KubeClient>>()

  constructor(management: KubeClient) {
    this.#management = management
  }

  /** Runs `use` with the cluster's client. Throws KubeconfigMissing, KubeconfigNotSupported or what `use` throws. */
  async with<T>(cluster: ClusterRef, use: (client: KubeClient) => Promise<T>, ctx: Ctx): Promise<T> {
    const opening = this.#clients.get(keyOf(cluster)) ?? this.#open(cluster, ctx)
    this.#clients.set(keyOf(cluster), opening)
    try {
      return await use(await opening)
    } catch (thrown) {
      if (isWorthReopening(thrown)) await this.#forget(cluster, opening)
      throw thrown
    }
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#clients.values())
    this.#clients.clear()
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close()
  }

  /** The next use reads the Secret again; whoever came in between has done so already. */
  async #forget(cluster: ClusterRef, opening: Promise<KubeClient>): Promise<void> {
    if (this.#clients.get(keyOf(cluster)) !== opening) return
    this.#clients.delete(keyOf(cluster))
    const [opened] = await Promise.allSettled([opening])
    if (opened.status === 'fulfilled') await opened.value.close()
  }

  async #open({ namespace, name }: ClusterRef, ctx: Ctx): Promise<KubeClient> {
    const secretName = `${name}-kubeconfig`
    const secret = await this.#read({ namespace, name: secretName }, ctx)
    const value = secret.data?.['value']
    if (!value) {
      throw new KubeconfigMissing(`Secret ${secretName} has no key "value"; put the kubeconfig of the cluster there.`)
    }
    const connection = parseWorkloadKubeconfig(Buffer.from(value, 'base64').toString('utf8'))
    return createClient(connection, { userAgent: 'cluster-api-provider-spot' })
  }

  async #read(ref: ClusterRef, ctx: Ctx): Promise<KubeconfigSecret> {
    try {
      return await this.#management.get<KubeconfigSecret>(secrets, ref, ctx)
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 404) throw thrown
      throw new KubeconfigMissing(
        `Secret ${ref.name} does not exist; create it with the kubeconfig of the cluster under the key "value".`,
      )
    }
  }
}

/** It may have been rotated, or the cluster may have moved; what the workload cluster itself refuses is no such reason. */
function isWorthReopening(thrown: unknown): boolean {
  return !(thrown instanceof ApiError) || thrown.status === 0 || thrown.status === 401
}

function keyOf({ namespace, name }: ClusterRef): string {
  return `${namespace}/${name}`
}
