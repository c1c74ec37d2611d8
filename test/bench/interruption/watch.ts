import { findCondition } from '../../../api/conditions.ts'
import { machines, nodes } from '../../../api/kinds.ts'
import { interrupted } from '../../../api/labels.ts'
import type { Machine, Node } from '../../../api/machine.ts'
import type { KubeObject } from '../../../api/meta.ts'
import { createCache, type Change } from '../../../controllers/runtime/cache/cache.ts'
import type { Lab } from '../../lab/lab.ts'

/** One Machine, with the times at which the bench saw it change, in milliseconds of the lab's clock. */
export interface Watched {
  readonly name: string
  readonly deployment: string
  readonly createdAt: number
  /** The cloud's id of its instance. */
  instance?: string | undefined
  node?: string | undefined
  availableAt?: number
  /** When it was seen, or the last moment that its deletionTimestamp allows: watches are late in a storm. */
  deletedAt?: number
}

/** Watches the Machines of a namespace from now on. */
export class MachineWatch {
  readonly #lab: Lab
  readonly #byName = new Map<string, Watched>()

  constructor(lab: Lab, namespace: string) {
    this.#lab = lab
    const cache = createCache<Seen>({ client: lab.client, resource: machines, namespace, project })
    cache.onChange((change) => this.#note(change))
    void cache.run(lab.ctx)
  }

  /** In the order in which they were made. Without a name: of all MachineDeployments. */
  of(deployment?: string): Watched[] {
    const all = [...this.#byName.values()]
    return deployment === undefined ? all : all.filter((one) => one.deployment === deployment)
  }

  #note({ after }: Change<Seen>): void {
    if (!after) return
    const now = this.#lab.ctx.clock.now()
    const { name, deletionTimestamp } = after.metadata
    const { deployment, instance, node, isAvailable } = after
    const machine = this.#byName.get(name) ?? { name, deployment, createdAt: now }
    this.#byName.set(name, machine)
    machine.instance ??= instance
    machine.node ??= node
    if (isAvailable) machine.availableAt ??= now
    if (deletionTimestamp !== undefined) machine.deletedAt ??= Math.min(now, Date.parse(deletionTimestamp) + 999)
  }
}

interface Seen extends KubeObject {
  readonly deployment: string
  readonly instance: string | undefined
  readonly node: string | undefined
  readonly isAvailable: boolean
}

function project(raw: KubeObject): Seen {
  const { metadata, spec, status } = raw as Machine & { spec: { providerID?: string } }
  const { name, namespace, resourceVersion = '', deletionTimestamp, labels = {} } = metadata
  return {
    metadata: { name, namespace, resourceVersion, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
    deployment: labels['cluster.x-k8s.io/deployment-name'] ?? '',
    instance: spec.providerID?.split('/').at(-1),
    node: status?.nodeRef?.name,
    isAvailable: findCondition(status?.conditions, 'Available')?.status === 'True',
  }
}

/** The times at which Nodes got the taint of a notice, by name. */
export function watchTaints(lab: Lab): ReadonlyMap<string, number> {
  const taintedAt = new Map<string, number>()
  const cache = createCache<Node>({ client: lab.client, resource: nodes, project: (raw) => raw })
  cache.onChange(({ key, after }) => {
    const isTainted = after?.spec?.taints?.some(({ key: taint }) => taint === interrupted.key) ?? false
    if (isTainted && !taintedAt.has(key)) taintedAt.set(key, lab.ctx.clock.now())
  })
  void cache.run(lab.ctx)
  return taintedAt
}
