import type { Action } from '../http/action.ts'
import { ids, names } from '../ids.ts'
import { describe } from '../http/listing.ts'
import type { PlacementGroup } from '../world.ts'

const describePlacementGroups = describe<PlacementGroup>({
  name: 'DescribePlacementGroups',
  set: 'placementGroupSet',
  items: ({ world }) => world.placementGroups,
  filters: {
    'group-name': ({ name }) => [name],
    state: () => ['available'],
    strategy: ({ strategy }) => [strategy],
  },
  tagsOf: () => [],
  by: [
    { parameter: 'GroupName', called: 'groupName', of: ({ name }) => name, kind: names.placementGroup },
    { parameter: 'GroupId', called: 'groupId', of: ({ id }) => id, kind: ids.placementGroup },
  ],
  write: (groups, { world }) =>
    groups.map(({ id, name, strategy, partitions }) => ({
      groupId: id,
      groupName: name,
      groupArn: `arn:aws:ec2:${world.region}:${world.accountId}:placement-group/${name}`,
      strategy,
      partitionCount: partitions,
      state: 'available',
    })),
})

export const placementGroupActions: readonly Action[] = [describePlacementGroups]
