import { ArmError } from '../http/errors.ts'
import type { Instance, LaunchPlan } from '../instances/instance.ts'
import { instanceTypes } from './instance-types.ts'

export interface Usage {
  readonly name: string
  readonly localName: string
  readonly used: number
  readonly limit: number
}

const usualLimit = 10_000

const general = [
  ['cores', 'Total Regional vCPUs'],
  ['lowPriorityCores', 'Total Regional Low-priority vCPUs'],
  ['virtualMachines', 'Virtual Machines'],
] as const

const families = [...new Set(instanceTypes.map(({ family }) => family))]

/** How many processors and machines a subscription may have in a region. What is deallocated counts as well. */
export class Quotas {
  readonly #limits = new Map<string, number>()

  /** Whether there is such a quota. */
  limit(name: string, limit: number): boolean {
    const known = [...general.map(([one]) => one), ...families].find((one) => one === name)
    if (known !== undefined) this.#limits.set(known, limit)
    return known !== undefined
  }

  usages(instances: readonly Instance[]): readonly Usage[] {
    const row = (name: string, localName: string, used: number) => ({
      name,
      localName,
      used,
      limit: this.#limitOf(name),
    })
    return [
      ...general.map(([name, localName]) => row(name, localName, used(name, instances))),
      ...families.map((family) => row(family, `Standard ${nameOf(family)} Family vCPUs`, used(family, instances))),
    ]
  }

  check({ type, spot, location }: LaunchPlan, instances: readonly Instance[]): void {
    const asked = spot ? ['lowPriorityCores'] : [type.family, 'cores']
    for (const name of ['virtualMachines', ...asked]) {
      const more = name === 'virtualMachines' ? 1 : type.cpus
      const [now, limit] = [used(name, instances), this.#limitOf(name)]
      if (now + more > limit) throw exceeded(name, { location, limit, used: now, more })
    }
  }

  #limitOf(name: string): number {
    return this.#limits.get(name) ?? usualLimit
  }
}

function used(name: string, instances: readonly Instance[]): number {
  if (name === 'virtualMachines') return instances.length
  const counted = instances.filter(({ plan }) => {
    if (name === 'lowPriorityCores') return plan.spot !== undefined
    return !plan.spot && (name === 'cores' || plan.type.family === name)
  })
  return counted.reduce((sum, { plan }) => sum + plan.type.cpus, 0)
}

function exceeded(
  name: string,
  { location, limit, used, more }: { location: string; limit: number; used: number; more: number },
): ArmError {
  const named: Readonly<Record<string, string>> = {
    cores: 'Total Regional Cores',
    lowPriorityCores: 'LowPriorityCores',
    virtualMachines: 'Virtual Machines',
  }
  const needed = used + more
  return new ArmError(
    'OperationNotAllowed',
    `Operation could not be completed as it results in exceeding approved ${named[name] ?? `${name} Cores`} quota. ` +
      `Additional details - Deployment Model: Resource Manager, Location: ${location}, Current Limit: ${limit}, ` +
      `Current Usage: ${used}, Additional Required: ${more}, (Minimum) New Limit Required: ${needed}. ` +
      'Setup Alerts when Quota reaches threshold. Learn more at https://aka.ms/quotamonitoringalerting . ' +
      "Submit a request for Quota increase by specifying parameters listed in the 'Details' section for deployment " +
      'to succeed. Please read more about quota limits at https://docs.microsoft.com/en-us/azure/azure-supportability/' +
      'per-vm-quota-requests',
  )
}

function nameOf(family: string): string {
  return family.replace(/^standard/, '').replace(/Family$/, '')
}
