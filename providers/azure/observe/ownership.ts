import type { CapacityType } from '../../../api/offering.ts'
import type { Launch } from '../../instances.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import { isSameTag } from '../../../api/ownership.ts'
import { tagOf } from '../../shared/ownership.ts'

/** Azure's tag names have no slash. */
const prefix = 'spot.cluster.x-k8s.io_'

const tags = {
  owner: `${prefix}owner-id`,
  machine: `${prefix}machine`,
  token: `${prefix}attempt`,
  capacityType: `${prefix}capacity-type`,
  instanceType: `${prefix}vm-size`,
  zone: `${prefix}zone`,
} as const

/** Prefixes of the tags by which controllers know their own resources. */
const reserved = [prefix, 'kubernetes.io_cluster_', 'sigs.k8s.io_cluster-api-provider-azure_']

/** Azure does not distinguish capital and small letters in tag names. */
function isReserved(key: string): boolean {
  return reserved.some((start) => key.toLowerCase().startsWith(start))
}

/**
 * The offering that was asked for. The list that tells the power lacks it, so the network interface has it as tags too.
 */
export interface Bought {
  readonly capacityType: CapacityType
  readonly instanceType: string
  /** Empty: Azure chose it and does not say. */
  readonly zone: string
}

/**
 * Our tags come last and win. A user's tag that differs from ours only in capital letters would be refused, so it is
 * left out.
 */
export function tagsFor(
  { owner, machine, token, clusterName }: Launch,
  { capacityType, instanceType, zone }: Bought,
  additional: Readonly<Record<string, string>>,
): Record<string, string> {
  const ours = {
    Name: machine.slice(machine.indexOf('/') + 1),
    [`kubernetes.io_cluster_${clusterName}`]: 'owned',
    [tags.owner]: owner,
    [tags.machine]: machine,
    [tags.token]: token,
    [tags.capacityType]: capacityType,
    [tags.instanceType]: instanceType,
    ...(zone === '' ? {} : { [tags.zone]: zone }),
  }
  const free = Object.entries(additional).filter(([key]) => !isReserved(key) && key.toLowerCase() !== 'name')
  return { ...Object.fromEntries(free), ...ours, Name: nameTag(additional) ?? ours.Name }
}

function nameTag(additional: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(additional).find(([key]) => key.toLowerCase() === 'name')?.[1]
}

type Tags = Readonly<Record<string, string>> | null | undefined

export function readTag(given: Tags): OwnershipTag | undefined {
  const [owner, machine, token] = [tags.owner, tags.machine, tags.token].map((key) => given?.[key])
  return owner && machine && token ? tagOf({ owner, machine, token }) : undefined
}

/** Whether the tags name another owner. Where there are no tags, only the name counts. */
export function isAnothers(given: Tags, ours: OwnershipTag): boolean {
  if (!given) return false
  const tag = readTag(given)
  return tag === undefined || !isSameTag(tag, ours)
}

export function readBought(given: Tags): Bought | undefined {
  const capacityType = given?.[tags.capacityType]
  if (capacityType !== 'Spot' && capacityType !== 'OnDemand' && capacityType !== 'Reserved') return undefined
  return { capacityType, instanceType: given?.[tags.instanceType] ?? '', zone: given?.[tags.zone] ?? '' }
}
