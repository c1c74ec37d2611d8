import { createHash } from 'node:crypto'
import type { CapacityPoolSpec } from '../../api/generated/capacity-pool.ts'
import type { Offering } from '../../api/offering.ts'
import { cloudNames, scopeKey, type CloudName, type Scope } from '../../api/scope.ts'

/** As long as the CRD allows. Longer ones, and those with other characters, are no names of a cloud. */
const nameOfACloud = /^[\x21-\x7e]{1,253}$/

/** Undefined for an offering that no cloud has: the attempt is an annotation. */
export function poolSpecOf({ cloud, region }: Scope, offering: Offering): CapacityPoolSpec | undefined {
  const { capacityType, instanceType, zone } = offering
  const isWhole = [region, instanceType].every((text) => nameOfACloud.test(text))
  return isWhole && (zone === '' || nameOfACloud.test(zone))
    ? { cloud, region, capacityType, instanceType, zone }
    : undefined
}

const longestReadable = 200

/**
 * The name of the object: what people can read of the offering, and a digest that tells `m5.large` from `m5-large`. A
 * zone that contains its region stands for it.
 */
export function poolName(spec: CapacityPoolSpec): string {
  const { cloud, region, capacityType, instanceType, zone } = spec
  const places = zone.startsWith(region) ? [zone] : [region, zone]
  const readable = [cloud, capacityType, instanceType, ...places]
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, longestReadable)
  return `${readable}-${shortDigest(JSON.stringify([cloud, region, capacityType, instanceType, zone]))}`
}

/** Tells accounts apart and names none: readers of pools must not learn who else has an account. */
export function accountDigest(scope: Scope): string {
  return shortDigest(scopeKey(scope))
}

/** The API server allows 128 characters, and the name of a Lease may be longer. */
export function fieldManagerOf(manager: string): string {
  return `capspot-pools-${shortDigest(manager)}`
}

export function cloudOf({ cloud }: CapacityPoolSpec): CloudName | undefined {
  return cloudNames.find((name) => name === cloud)
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
