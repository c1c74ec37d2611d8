import { invalidCombination, invalidValue } from '../http/errors.ts'
import { findOne, names } from '../ids.ts'
import type { Market, Placement } from '../instances/instance.ts'
import type { World } from '../world.ts'
import type { RunInstancesValues } from './parameters.ts'

/** Beside which other instances these are put, or apart from which. */
export function checkPlacement(
  given: RunInstancesValues['Placement'],
  market: Market,
  { placementGroups }: World,
): Placement {
  const { GroupName: name = '', PartitionNumber: partition, Tenancy: tenancy } = given ?? {}
  if (tenancy === 'host' && market === 'spot') {
    throw invalidCombination('Spot Instances do not support the tenancy host.')
  }
  const group = name === '' ? undefined : findOne(names.placementGroup, name, placementGroups, (one) => one.name)
  if (partition === undefined) return { group, partition }
  if (group?.strategy !== 'partition') {
    throw invalidCombination('A partition number can be specified with a placement group of strategy partition only.')
  }
  const most = group.partitions ?? 1
  if (partition >= 1 && partition <= most) return { group, partition }
  throw invalidValue(`Value (${partition}) for parameter partitionNumber is invalid. It must be from 1 to ${most}.`)
}
