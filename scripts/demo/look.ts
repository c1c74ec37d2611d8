import { findCondition } from '../../api/conditions.ts'
import { machines, nodes } from '../../api/kinds.ts'
import { nodeLabels } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { clouds } from '../../providers/registry.ts'
import type { Stage } from './stage.ts'

/** One Machine as a row of the table. What is not known yet is the empty string. */
export interface Row {
  readonly machine: string
  readonly state: string
  readonly instance: string
  readonly node: string
  readonly interruptible: string
  /** The last that our manager said of it. */
  readonly event: string
}

/** A Machine of core with all that belongs to it. */
export interface Sight {
  readonly machine: CoreMachine
  readonly infra: InfraMachine | undefined
  readonly node: KubeObject | undefined
  readonly event: KubeEvent | undefined
}

type CoreMachine = Machine & { status?: { phase?: string } }

interface KubeEvent extends KubeObject {
  readonly involvedObject: { readonly name: string }
  readonly reason: string
  readonly message: string
  readonly lastTimestamp: string
}

const events: Resource = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true }
/** Our manager's events about its machines; it has others about its clusters. */
const ours = `reportingComponent=cluster-api-provider-spot,involvedObject.kind=${clouds.aws.machines.kind}`

/** The Machines there are, oldest first. */
export async function look({ lab: { client, ctx }, cluster: { namespace } }: Stage): Promise<Sight[]> {
  const [cores, infras, allNodes, said] = await Promise.all([
    client.list<CoreMachine>(machines, { namespace }, ctx),
    client.list<InfraMachine>(clouds.aws.machines, { namespace }, ctx),
    client.list(nodes, {}, ctx),
    client.list<KubeEvent>(events, { namespace, fieldSelector: ours }, ctx),
  ])
  const newestFirst = said.items.toSorted((a, b) => versionOf(b) - versionOf(a))
  return cores.items.toSorted(byAge).map((machine) => {
    const infraName = machine.spec.infrastructureRef?.name
    return {
      machine,
      infra: infras.items.find(({ metadata }) => metadata.name === infraName),
      node: allNodes.items.find(({ metadata }) => metadata.name === machine.status?.nodeRef?.name),
      event: newestFirst.find(({ involvedObject }) => involvedObject.name === infraName),
    }
  })
}

export function rowOf({ machine, infra, node, event }: Sight): Row {
  return {
    machine: machine.metadata.name,
    state: stateOf(machine, infra),
    instance: instanceIdOf(infra) ?? '',
    node: node?.metadata.name ?? '',
    interruptible: node ? (nodeLabels.interruptible in (node.metadata.labels ?? {}) ? 'yes' : 'no') : '',
    event: event ? `${timeOf(event.lastTimestamp)} ${event.reason}: ${event.message}` : '',
  }
}

export function instanceIdOf(infra: InfraMachine | undefined): string | undefined {
  return infra?.spec.providerID?.split('/').at(-1)
}

/** Core's phase, but why the instance no longer serves where it does not: core goes on to call that Machine Running. */
function stateOf({ metadata, status }: CoreMachine, infra: InfraMachine | undefined): string {
  const ready = findCondition(infra?.status?.conditions, 'Ready')
  const phase = status?.phase ?? ''
  return ready?.status === 'False' && !metadata.deletionTimestamp ? ready.reason : phase
}

/** Events carry whole seconds only; versions are in the order of the writes. */
function versionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion)
}

function byAge(a: KubeObject, b: KubeObject): number {
  const [one, other] = [a, b].map(({ metadata }) => `${metadata.creationTimestamp} ${metadata.name}`)
  return String(one).localeCompare(String(other))
}

function timeOf(timestamp: string): string {
  return new Date(timestamp).toTimeString().slice(0, 8)
}
