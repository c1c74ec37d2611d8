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
  #clients = new Map<string, KubeClient>()

  constructor(management: KubeClient) {
    this.#management = management
  }

  /** Runs `use` with the cluster's client. Throws KubeconfigMissing, KubeconfigNotSupported or what `use` throws. */
  async with<T>(cluster: ClusterRef, use: (client: KubeClient) => Promise<T>, ctx: Ctx): Promise<T> {
    const key = `${cluster.namespace}/${cluster.name}`
    const client = this.#clients.get(key) ?? (await this.#open(cluster, ctx))
    this.#clients.set(key, client)
    try {
      return await use(client)
    } catch (thrown) {
      if (thrown instanceof ApiError && [0, 401].includes(thrown.status)) await this.forget(cluster)
      throw thrown
    }
  }

  /** Closes the client, so that the next use reads the Secret. */
  async forget({ namespace, name }: ClusterRef): Promise<void> {
    const key = `${namespace}/${name}`
    const client = this.#clients.get(key)
    this.#clients.delete(key)
    await client?.close()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()))
    this.#clients.clear()
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
