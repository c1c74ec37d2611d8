import type { Node, NodeCondition } from '../../../api/machine.ts'
import { parseKey } from '../../../controllers/runtime/client/resource.ts'

/**
 * The Nodes of the workload clusters, by the keys of their Machines. They are in no copy of the management cluster's
 * etcd.
 */
export class Nodes {
  readonly all = new Map<string, Node>()
  /** Called with each change. */
  onChange: (key: string, node: Node | undefined) => void = () => {}

  join(key: string, providerID: string | undefined): void {
    const { namespace = '', name } = parseKey(key)
    if (providerID !== undefined) this.#put(key, { metadata: { namespace, name }, spec: { providerID } })
  }

  /** From now on this is all that an agent says there. Nothing: it takes back what it said. */
  say(key: string, conditions: readonly NodeCondition[]): void {
    const node = this.all.get(key)
    if (node) this.#put(key, { ...node, status: { conditions: [...conditions] } })
  }

  remove(key: string): void {
    if (this.all.delete(key)) this.onChange(key, undefined)
  }

  #put(key: string, node: Node): void {
    this.all.set(key, node)
    this.onChange(key, node)
  }
}
