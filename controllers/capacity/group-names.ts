import type { Attempt } from '../../api/attempt.ts'
import { offeringOf } from '../../api/rules/capacity/chosen.ts'
import { core } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { offeringKey, type Offering } from '../../api/offering.ts'
import type { BackoffGroupNames } from '../../api/rules/outcome.ts'
import { scopeKey } from '../../api/scope.ts'

export interface Grouped {
  readonly machine: Machine
  readonly infra: InfraMachine | undefined
  readonly attempt: Attempt | undefined
}

export function groupNamesOf({ machine, infra, attempt }: Grouped): BackoffGroupNames {
  const offering = attempt && offeringOf(attempt)
  const scope = attempt && scopeKey(attempt.scope)
  const template = templateOf(infra)
  const owner = ownerOf(machine)
  const asked = scope && offering ? groupsOf({ scope, offering, infra }) : undefined
  return {
    offering: asked?.offering,
    price: asked?.price,
    quota: asked?.quota,
    launch: `launch ${owner} ${template}`,
    node: `node ${owner} ${template}`,
  }
}

export interface AskedFor {
  /** The key of the scope. */
  readonly scope: string
  readonly offering: Offering
  readonly infra: InfraMachine | undefined
}

/**
 * The groups that hold a launch back. What closes a group of a template is mended by a person, and holds nobody. Nor
 * does a quota, while its group has no class: one of G would hold back m5.
 */
export function holdingGroupsOf(asked: AskedFor): string[] {
  const { offering, price } = groupsOf(asked)
  return [offering, price]
}

export function groupsOf({ scope, offering, infra }: AskedFor): Record<'offering' | 'price' | 'quota', string> {
  const key = offeringKey(offering)
  return {
    offering: `pool ${scope} ${key}`,
    price: `price ${scope} ${key} ${maxPriceOf(infra)}`,
    quota: `quota ${scope} ${offering.capacityType}`,
  }
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
