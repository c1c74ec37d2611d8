import type { Ctx } from '../../api/ctx.ts'
import { namespaces } from '../../api/kinds.ts'
import type { KubeClient } from '../runtime/client/client.ts'

/** Every cluster has this namespace, each with another uid. */
const kubeSystem = 'kube-system'

/**
 * This manager's name beside the owner ids that it holds: the management cluster, by the uid of its kube-system, and
 * the Lease. An older copy of etcd has the same name. Objects that were copied or moved meet another one.
 */
export class Holder {
  readonly #client: Pick<KubeClient, 'get'>
  readonly #lease: string
  #uid: string | undefined

  constructor(client: Pick<KubeClient, 'get'>, { namespace, name }: { namespace: string; name: string }) {
    this.#client = client
    this.#lease = `${namespace}/${name}`
  }

  async name(ctx: Ctx): Promise<string> {
    const uid = (this.#uid ??= (await this.#client.get(namespaces, { name: kubeSystem }, ctx)).metadata.uid ?? '')
    return `${uid}/${this.#lease}`
  }
}
