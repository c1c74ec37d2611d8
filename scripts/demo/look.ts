import { findCondition } from '../../api/conditions.ts'
import { machines, nodes } from '../../api/kinds.ts'
import { nodeLabels } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import type { Site, Stage } from './stage.ts'
import { demand } from './steps.ts'

/** One Machine as a row of the table. Unknown values are empty. */
export interface Row {
  readonly machine: string
  readonly state: string
  readonly instance: string
  readonly node: string
  readonly interruptible: string
  /** The last message of our manager while it does not run. */
  readonly event: string
}

/** A Machine of core with its objects. */
export interface Sight {
  readonly machine: CoreMachine
  readonly infra: InfraMachine | undefined
  readonly node: KubeObject | undefined
  readonly event: KubeEvent | undefined
}

type CoreMachine = Machine & { status?: { phase?: string } }

interface KubeEvent extends KubeObject {
  readonly involvedObject: { readonly kind?: string; readonly name: string }
  readonly message: string
  readonly lastTimestamp: string
}

const events: Resource = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true }
const ours = 'reportingComponent=cluster-api-provider-spot'

/** The Machines of these sites: by site, the oldest first. */
export async function look(stage: Stage, sites: readonly Site[] = stage.sites): Promise<Sight[]> {
  const { client, ctx } = stage.lab
  const { namespace } = stage
  const [cores, infras, allNodes, said] = await Promise.all([
    client.list<CoreMachine>(machines, { namespace }, ctx),
    Promise.all(sites.map((site) => client.list<InfraMachine>(site.machines, { namespace }, ctx))),
    client.list(nodes, {}, ctx),
    client.list<KubeEvent>(events, { namespace, fieldSelector: ours }, ctx),
  ])
  const newestFirst = said.items.toSorted((a, b) => versionOf(b) - versionOf(a))
  const sightOn = (site: Site, infrasThere: readonly InfraMachine[], machine: CoreMachine): Sight => {
    const { name } = machine.spec.infrastructureRef ?? {}
    return {
      machine,
      infra: infrasThere.find(({ metadata }) => metadata.name === name),
      node: allNodes.items.find(({ metadata }) => metadata.name === machine.status?.nodeRef?.name),
      event: newestFirst.find(({ involvedObject: { kind, name: of } }) => kind === site.machines.kind && of === name),
    }
  }
  return sites.flatMap((site, at) => {
    const there = cores.items.filter(({ spec }) => spec.clusterName === site.cluster).toSorted(byAge)
    return there.map((machine) => sightOn(site, infras[at]?.items ?? [], machine))
  })
}

/** All events of our manager for a machine, even after it is gone. */
export async function saidOf({ lab, namespace }: Stage, { machines: { kind } }: Site, name: string): Promise<string[]> {
  const { items } = await lab.client.list<KubeEvent>(events, { namespace, fieldSelector: ours }, lab.ctx)
  return items
    .filter(({ involvedObject }) => involvedObject.kind === kind && involvedObject.name === name)
    .map(({ message }) => message)
}

export function rowOf({ machine, infra, node, event }: Sight): Row {
  const state = stateOf(machine, infra)
  return {
    machine: machine.metadata.name,
    state,
    instance: instanceIdOf(infra) ?? '',
    node: node?.metadata.name ?? '',
    interruptible: node ? (nodeLabels.interruptible in (node.metadata.labels ?? {}) ? 'yes' : 'no') : '',
    event: event && state !== serving ? `${timeOf(event.lastTimestamp)} ${event.message}` : '',
  }
}

/** Its name in the cloud: the id or, where names are used once, the name. */
export function instanceIdOf(infra: InfraMachine | undefined): string | undefined {
  return infra?.spec.providerID?.split('/').at(-1)
}

export function isServing({ machine, infra }: Sight): boolean {
  return stateOf(machine, infra) === serving
}

/**
 * Whether a site has the right number of running Machines, each with its own instance, and its cloud has no other
 * instance.
 */
export async function demandAllServe(stage: Stage, site: Site): Promise<void> {
  const { workers } = stage
  const sights = await look(stage, [site])
  const states = sights.map((sight) => rowOf(sight).state || 'new')
  demand(sights.length === workers && sights.every(isServing), `The Machines are ${states.join(', ')}.`)
  const ids = new Set(sights.map(({ infra }) => instanceIdOf(infra)))
  const there = site.cloud.alive().length
  demand(ids.size === workers && there === workers, `The Machines have ${ids.size} instances; there are ${there}.`)
}

/** Core's word for a Machine whose Node is there. */
const serving = 'Running'

/** Core's phase. If the instance runs no longer or is being deleted, the reason, because core is slow to show that. */
function stateOf({ metadata, status }: CoreMachine, infra: InfraMachine | undefined): string {
  if (metadata.deletionTimestamp) return 'Deleting'
  const ready = findCondition(infra?.status?.conditions, 'Ready')
  return ready?.status === 'False' ? ready.reason : (status?.phase ?? '')
}

/** Events have whole seconds only. Versions are in the order of the writes. */
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
