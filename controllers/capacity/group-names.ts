import { createHash } from 'node:crypto'
import type { Attempt } from '../../api/attempt.ts'
import { offeringOf } from '../../api/rules/capacity/chosen.ts'
import { core } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { Offering } from '../../api/offering.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import {
  groupsClosedBy,
  groupsHolding,
  ownGroups,
  type Asked,
  type KnownGroups,
  noGroups,
} from '../../api/rules/capacity/what-closes.ts'
import type { BackoffGroupNames } from '../../api/rules/outcome.ts'
import { scopeKey, type CloudName, type Scope } from '../../api/scope.ts'
import { clouds } from '../../providers/registry.ts'
import { hasFallback } from './fallback.ts'

export interface Grouped {
  readonly machine: Machine
  readonly infra: InfraMachine | undefined
  readonly attempt: Attempt | undefined
}

/** `known`: the groups that its Cluster and policy know. */
export function groupNamesOf({ machine, infra, attempt }: Grouped, known: KnownGroups = noGroups): BackoffGroupNames {
  const offering = attempt && offeringOf(attempt)
  const template = templateOf(infra)
  const owner = ownerOf(machine)
  const asked = attempt && offering && askedOf({ scope: attempt.scope, offering, infra })
  const own = asked && ownGroups(asked)
  return {
    offering: own?.offering,
    price: own?.price,
    quota: own?.quota,
    others: asked ? groupsHolding(asked, known) : [],
    launch: `launch ${owner} ${template}`,
    node: `node ${owner} ${template}`,
  }
}

export interface AskedFor {
  readonly scope: Scope
  readonly offering: Offering
  readonly infra: InfraMachine | undefined
}

/** What a machine asks for, as far as refusals of others concern it. */
export function askedOf({ scope, offering, infra }: AskedFor): Asked {
  const spec = infra?.spec ?? {}
  return {
    scope: scopeKey(scope),
    offering,
    maxPrice: maxPriceOf(infra),
    constraints: constraintsOf(spec),
    quota: clouds[scope.cloud].closing.quotaClassOf(offering, spec),
    hasFallback: infra !== undefined && hasFallback(infra),
  }
}

/** The groups that this refusal of a machine's request closes. */
export function closedBy(asked: Asked, { kind, code }: { kind: RefusalKind; code: string }, cloud: CloudName) {
  const reach = clouds[cloud].closing.reachOf(code, asked.offering.capacityType)
  return groupsClosedBy({ ...asked, kind, reach })
}

/** The fields that narrow the capacity for a request, on any cloud. A refusal under them says nothing about others. */
const constraining: readonly string[] = [
  'placementGroupName',
  'placementGroupPartition',
  'tenancy',
  'hostID',
  'hostAffinity',
  'capacityReservationId',
  'capacityReservationGroupID',
  'guestAccelerators',
  'reservationAffinity',
  'placementTarget',
]

function constraintsOf(spec: object): string {
  const set = Object.entries(spec).filter(([field, value]) => constraining.includes(field) && !isUsual(value))
  if (set.length === 0) return ''
  const text = JSON.stringify(set.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Such as the tenancy `default`, which is the same as none. */
function isUsual(value: unknown): boolean {
  return value === undefined || value === '' || value === 'default' || (Array.isArray(value) && value.length === 0)
}

/** The kind and key of the MachineDeployment or MachineSet. A Machine without one is its own owner. */
export function ownerOf({ metadata }: Machine): string {
  const deployment = metadata.labels?.[core.deploymentName]
  if (deployment) return `MachineDeployment ${metadata.namespace}/${deployment}`
  const set = metadata.ownerReferences?.find(({ kind }) => kind === 'MachineSet')
  return set ? `MachineSet ${metadata.namespace}/${set.name}` : `Machine ${metadata.namespace}/${metadata.name}`
}

/** A changed MachineDeployment uses another template, and the failures of the old one are over. */
function templateOf(infra: InfraMachine | undefined): string {
  const name = infra?.metadata.annotations?.[core.clonedFromName] ?? ''
  return name.length <= longestName ? name : ''
}

/** The longest name of an object. A tenant may write more into the annotation. */
const longestName = 253

/** Each cloud with this field has it in its spot options. Left out, the cloud sets the bound. */
function maxPriceOf(infra: InfraMachine | undefined): string {
  const options = Object.values(infra?.spec ?? {}).filter((value) => typeof value === 'object' && value !== null)
  const [price] = options.flatMap((value) => ('maxPrice' in value ? [value.maxPrice] : []))
  return price === undefined || price === '' ? 'default' : String(Number(price))
}
