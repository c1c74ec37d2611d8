import { IbmError } from '../http/errors.ts'
import type { Instance } from '../instances/instance.ts'
import type { AvailabilityClass, InstanceProfile } from './instance-profiles.ts'

/** How much the account may have in the region. What is left out has no limit. */
export interface Quotas {
  /** Spot instances count here, and nowhere else. */
  readonly spotInstances?: number
  /** Of standard instances, as the others below. */
  readonly vcpus?: number
  readonly memoryGiB?: number
  readonly gpus?: number
}

/** What an account gets that has asked for nothing more. */
export const ibmQuotas: Quotas = { spotInstances: 100, vcpus: 200, memoryGiB: 5600, gpus: 16 }

export type QuotaName = keyof Quotas
export const quotaNames: readonly QuotaName[] = ['spotInstances', 'vcpus', 'memoryGiB', 'gpus']

export const quotaTables = { ibm: ibmQuotas, none: {} } as const satisfies Record<string, Quotas>
export type QuotaTableName = keyof typeof quotaTables

interface Wanted {
  readonly profile: InstanceProfile
  readonly availability: AvailabilityClass
}

/** Whether there is room for one more beside those that there are. */
export function checkQuotas(quotas: Quotas, wanted: Wanted, there: readonly Readonly<Instance>[]): void {
  const { availability, profile } = wanted
  const alike = [profile, ...there.filter((one) => one.availability === availability).map(({ plan }) => plan.profile)]
  if (availability === 'spot') return check('spot instances', alike.length, quotas.spotInstances)
  const sum = (of: (profile: InstanceProfile) => number) => alike.reduce((total, one) => total + of(one), 0)
  check(
    'vCPUs',
    sum(({ cpus }) => cpus),
    quotas.vcpus,
  )
  check(
    'GiB of memory',
    sum(({ memoryGiB }) => memoryGiB),
    quotas.memoryGiB,
  )
  check(
    'GPUs',
    sum(({ gpu }) => gpu?.count ?? 0),
    quotas.gpus,
  )
}

function check(what: string, count: number, limit: number | undefined): void {
  if (limit === undefined || count <= limit) return
  throw new IbmError('over_quota', `The request would exceed the quota for a resource type: ${limit} ${what}.`)
}
