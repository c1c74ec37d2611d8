import { DescribeInstancesCommand, DescribePlacementGroupsCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2 } from './fixture.ts'

test('an instance says in which placement group it is, and in which partition of it', async () => {
  await using ec2 = await startEc2()
  const { Instances } = await ec2.launch({ Placement: { GroupName: 'spot-racks', PartitionNumber: 2 } })
  await ec2.launch({ Placement: { GroupName: 'spot-apart' } })
  await ec2.launch()
  expect(Instances).toMatchObject([{ Placement: { GroupName: 'spot-racks', PartitionNumber: 2 } }])
  const Filters = [{ Name: 'placement-group-name', Values: ['spot-racks'] }]
  const { Reservations } = await ec2.client.send(new DescribeInstancesCommand({ Filters }))
  expect(Reservations).toMatchObject([{ Instances: [{ InstanceId: Instances?.[0]?.InstanceId }] }])
})

test('placement groups are found by name', async () => {
  await using ec2 = await startEc2()
  const find = (...GroupNames: string[]) => ec2.client.send(new DescribePlacementGroupsCommand({ GroupNames }))
  expect((await find('spot-racks', 'spot-apart')).PlacementGroups).toMatchObject([
    { GroupName: 'spot-racks', Strategy: 'partition', PartitionCount: 3, State: 'available' },
    { GroupName: 'spot-apart', Strategy: 'spread' },
  ])
  expect(await refusalOf(find('gone'))).toMatchObject({ code: 'InvalidPlacementGroup.Unknown' })
})
