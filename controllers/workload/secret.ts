import type { Ctx } from '../../api/ctx.ts'
import { secrets } from '../../api/kinds.ts'
import { core } from '../../api/labels.ts'
import type { KubeObject } from '../../api/meta.ts'
import { isNotFound } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import { parseWorkloadKubeconfig, type Connection } from '../runtime/client/kubeconfig.ts'

export interface ClusterRef {
  readonly namespace: string
  readonly name: string
}

/** `namespace/name` of the Cluster, as in caches and queues. */
export function clusterKey({ namespace, name }: ClusterRef): string {
  return `${namespace}/${name}`
}

/** The content of the Secret with the kubeconfig. */
export interface KubeconfigSecret {
  readonly name: string
  /** Changes with every change of the Secret. */
  readonly version: string
  /** Cluster API does not see a Secret without the label. */
  readonly isLabelled: boolean
  /** Throws KubeconfigMissing or KubeconfigNotSupported. */
  connection(): Connection
}

/** The Secret with the kubeconfig does not exist or is empty. The message is for people. */
export class KubeconfigMissing extends Error {
  override readonly name = 'KubeconfigMissing'
}

/** The management cluster did not return the Secret. That says nothing about the workload cluster. */
export class KubeconfigUnread extends Error {
  override readonly name = 'KubeconfigUnread'
}

/** The page that explains how to make a kubeconfig. */
export const guide = 'docs/workload-access.md'

/** The Secret that Cluster API reads too. */
export function secretNameOf({ name }: Pick<ClusterRef, 'name'>): string {
  return `${name}-kubeconfig`
}

/** Throws KubeconfigMissing if there is none, and KubeconfigUnread if that is unknown. */
export async function readKubeconfigSecret(
  cluster: ClusterRef,
  management: KubeClient,
  ctx: Ctx,
): Promise<KubeconfigSecret> {
  const name = secretNameOf(cluster)
  const { metadata, data } = await read({ namespace: cluster.namespace, name }, management, ctx)
  return {
    name,
    version: `${metadata.uid ?? ''}/${metadata.resourceVersion ?? ''}`,
    isLabelled: metadata.labels?.[core.clusterName] !== undefined,
    connection() {
      const value = data?.['value']
      if (value) return parseWorkloadKubeconfig(Buffer.from(value, 'base64').toString('utf8'))
      throw new KubeconfigMissing(
        `Secret ${name} has no key "value"; put the kubeconfig of the cluster there. ${guide} shows how to make one.`,
      )
    },
  }
}

async function read(
  ref: ClusterRef,
  management: KubeClient,
  ctx: Ctx,
): Promise<KubeObject & { data?: Record<string, string> }> {
  try {
    return await management.get(secrets, ref, ctx)
  } catch (thrown) {
    if (ctx.signal.aborted) throw thrown
    if (isNotFound(thrown)) {
      throw new KubeconfigMissing(
        `Secret ${ref.name} does not exist; create it with the kubeconfig of the cluster under the key "value". ${guide} shows how to make one.`,
      )
    }
    const why = thrown instanceof Error ? thrown.message : ''
    throw new KubeconfigUnread(`Secret ${ref.name} cannot be read: ${why}`, { cause: thrown })
  }
}
