import { expect, test } from 'vitest'
import { refusalOf, startEc2 } from './fixture.ts'

const onDemand = { InstanceMarketOptions: undefined }

test('a lack of capacity is a server error, as in EC2, in the words of the market', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.noCapacity({ instanceType: 'm5.large' })
  expect(await refusalOf(ec2.launch())).toEqual({
    code: 'InsufficientInstanceCapacity',
    status: 500,
    message: 'There is no Spot capacity available that matches your request.',
  })
  expect(await refusalOf(ec2.launch(onDemand))).toEqual({
    code: 'InsufficientInstanceCapacity',
    status: 500,
    message:
      'We currently do not have sufficient m5.large capacity in the Availability Zone you requested (us-east-1a). ' +
      'You can currently get m5.large capacity by not specifying an Availability Zone in your request or choosing ' +
      'us-east-1b, us-east-1c.',
  })
  await ec2.launch({ InstanceType: 'm5a.large' })
})

test('who names no zone gets one that has capacity', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.noCapacity({ zone: 'us-east-1a' })
  const { Instances } = await ec2.launch({ NetworkInterfaces: undefined })
  expect(Instances?.[0]?.Placement?.AvailabilityZone).toBe('us-east-1b')
})
