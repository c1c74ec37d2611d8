import type { Attempt } from '../../api/attempt.ts'
import { core } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { offeringKey, parseOfferingKey } from '../../api/offering.ts'
import type { BackoffGroupNames } from '../../api/rules/outcome.ts'
import { scopeKey } from '../../api/scope.ts'

export interface Grouped {
  readonly machine: Machine
  readonly infra: InfraMachine | undefined
  readonly attempt: Attempt | undefined
}

export function groupNamesOf({ machine, infra, attempt }: Grouped): BackoffGroupNames {
  const offering = attempt?.offering === undefined ? undefined : parseOfferingKey(attempt.offering)
  const scope = attempt && scopeKey(attempt.scope)
  const key = offering && offeringKey(offering)
  const template = templateOf(infra)
  const owner = ownerOf(machine)
  return {
    offering: scope && key ? `pool ${scope} ${key}` : undefined,
    price: scope && key ? `price ${scope} ${key} ${maxPriceOf(infra)}` : undefined,
    quota: scope && offering ? `quota ${scope} ${offering.capacityType}` : undefined,
    launch: `launch ${owner} ${template}`,
    node: `node ${owner} ${template}`,
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
