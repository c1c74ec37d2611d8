import { readAttempt } from '../../api/attempt.ts'
import type { Ctx } from '../../api/ctx.ts'
import { readInterruption } from '../../api/interruption.ts'
import { ownerNamed, type Cluster, type InfraMachine, type Machine, type Node } from '../../api/machine.ts'
import type { Notice } from '../../api/notice.ts'
import { machineOfNode } from '../../api/rules/interruption/machine-of-node.ts'
import {
  isOfNode,
  noticesOfNode,
  type NodeNotice as Announced,
  type NodeSays,
} from '../../api/rules/interruption/node-notice.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { infraOf } from '../shared/infra-of.ts'
import type { NodeCaches } from '../workload/node-caches.ts'
import { instanceOf } from './intake.ts'
import { useNodeCaches } from './node-cache-users.ts'
import type { RefusedNotices } from './refused-notices.ts'

/** listNow: ask the cloud at once. Undefined: what the Node announced before is withdrawn. */
export type NodeNotice = Notice | 'listNow' | undefined

export interface NodeNoticeDeps {
  readonly clusters: Pick<Cache<Cluster>, 'get' | 'onChange'>
  /** With the index `cluster`. */
  readonly machines: Cache<Machine>
  /** By kind, with the index `cluster`. */
  readonly infraMachines: ReadonlyMap<string, Cache<InfraMachine>>
  readonly nodeCaches: NodeCaches
  readonly refused: Pick<RefusedNotices, 'add'>
  /**
   * Called when the notice of a Machine changes, and after a start with each that stands. Both keys are
   * `namespace/name`.
   */
  readonly onNodeNotice: (cluster: string, machine: string, notice: NodeNotice) => void
}

/** Reads notices from the Nodes of workload clusters until ctx ends. */
export async function runNodeNotices(deps: NodeNoticeDeps, ctx: Ctx): Promise<void> {
  const stops = [new NodeNotices(deps, ctx).begin(), useNodeCaches(deps)]
  try {
    await deps.nodeCaches.run(ctx)
  } finally {
    stops.forEach((stop) => stop())
  }
}

interface Told {
  readonly machine: string
  readonly notice: NodeNotice
}

/** Compares what Nodes say with what was told. Any of three objects may be the last to arrive. */
class NodeNotices {
  readonly #deps: NodeNoticeDeps
  readonly #ctx: Ctx
  /** By cluster and Node. */
  readonly #told = new Map<string, Told>()

  constructor(deps: NodeNoticeDeps, ctx: Ctx) {
    this.#deps = deps
    this.#ctx = ctx
  }

  begin(): () => void {
    const { nodeCaches, machines, infraMachines } = this.#deps
    const stops = [
      nodeCaches.onChange(({ cluster, key, before }) => {
        this.#look(cluster, key, before === undefined && this.#isDecidedOn(cluster, key))
      }),
      machines.onChange(({ before, after }) => {
        if (before && after && isForgotten(before, after)) this.#forget(after)
        this.#lookAt(after ?? before)
      }),
      ...Array.from(infraMachines.values(), (cache) =>
        cache.onChange(({ after }) => after && this.#lookAt(this.#machineOf(after))),
      ),
    ]
    return () => stops.forEach((stop) => stop())
  }

  #machineOf(infra: InfraMachine): Machine | undefined {
    return this.#deps.machines.get(`${infra.metadata.namespace}/${ownerNamed(infra, 'Machine')}`)
  }

  #lookAt(machine: Machine | undefined): void {
    const node = machine?.status?.nodeRef?.name
    if (!machine || node === undefined) return
    this.#look(`${machine.metadata.namespace}/${machine.spec.clusterName}`, node, isDecided(machine))
  }

  /** Another source has taken its notice back. The Node is heard anew, in case that it still says something. */
  #forget({ metadata, spec, status }: Machine): void {
    this.#told.delete(`${metadata.namespace}/${spec.clusterName}/${status?.nodeRef?.name}`)
  }

  #isDecidedOn(cluster: string, node: string): boolean {
    const all = this.#deps.machines.by('cluster', cluster)
    return all.some((machine) => machine.status?.nodeRef?.name === node && isDecided(machine))
  }

  /** `wasHeard`: a process has heard the Node before, perhaps an earlier one. */
  #look(cluster: string, name: string, wasHeard: boolean): void {
    const key = `${cluster}/${name}`
    const before = this.#told.get(key)
    const node = this.#deps.nodeCaches.get(cluster, name)
    const says = node && this.#hear(cluster, node)
    if (!says && !before && !wasHeard) return
    const now = node && this.#spoken(cluster, node, says)
    if (now && before?.machine === now.machine && isSame(before.notice, now.notice)) return
    this.#note(key, now)
    if (now) this.#deps.onNodeNotice(cluster, now.machine, now.notice)
  }

  #hear(cluster: string, node: Node): NodeSays | undefined {
    const { says, absurd } = noticesOfNode(node, this.#ctx.clock.now())
    if (absurd.length > 0) this.#countAbsurd(cluster, node, absurd)
    return says
  }

  #note(key: string, now: Told | undefined): void {
    if (now?.notice) this.#told.set(key, now)
    else this.#told.delete(key)
  }

  /** Undefined: the Node is no Machine's and says nothing. A Node that is gone has withdrawn nothing either. */
  #spoken(key: string, node: Node, says: NodeSays | undefined): Told | undefined {
    const found = this.#found(key, node)
    const [instance] = found ? instanceOf(found.infra) : []
    if (!found || instance === undefined) return undefined
    return { machine: keyOf(found.machine), notice: typeof says === 'object' ? { instance, ...says } : says }
  }

  /** Only of our machines: on other Nodes anybody may write what they like. */
  #countAbsurd(key: string, node: Node, absurd: readonly Announced[]): void {
    const found = this.#found(key, node)
    const reading = found && readAttempt(found.infra)
    if (reading?.is !== 'ours') return
    for (const notice of absurd) this.#deps.refused.add(reading.attempt.scope.cloud, notice, 'absurd')
  }

  #found(key: string, node: Node) {
    const { clusters, machines } = this.#deps
    const cluster = clusters.get(key)
    const infraMachineOf = (machine: Machine) => infraOf(machine, this.#deps)
    return cluster && machineOfNode(node, { cluster, machines: machines.by('cluster', key), infraOf: infraMachineOf })
  }
}

function isForgotten(before: Machine, after: Machine): boolean {
  return readInterruption(before).is === 'ours' && readInterruption(after).is === 'none'
}

/** What a Node said has become a decision. */
function isDecided(machine: Machine): boolean {
  const reading = readInterruption(machine)
  return reading.is === 'ours' && isOfNode(reading.interruption)
}

/** A taint does not say since when it is there, so the time does not count. */
function isSame(a: NodeNotice, b: NodeNotice): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  return a.instance === b.instance && a.kind === b.kind && a.deadline === b.deadline && a.source === b.source
}
