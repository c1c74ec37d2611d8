import { TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2, usualLaunch } from './fixture.ts'

const onDemand = { InstanceMarketOptions: undefined }

test('a family has so many processors, on demand', async () => {
  await using ec2 = await startEc2()
  await ec2.control('quota', { name: 'standard', market: 'on-demand', limit: 3 })
  await ec2.launch(onDemand)
  expect(await refusalOf(ec2.launch({ ...onDemand, InstanceType: 'c5.large' }))).toEqual({
    code: 'VcpuLimitExceeded',
    status: 400,
    message:
      'You have requested more vCPU capacity than your current vCPU limit of 3 allows for the instance bucket that the ' +
      'specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an ' +
      'adjustment to this limit.',
  })
  await ec2.launch()
  await ec2.launch({ ...onDemand, InstanceType: 'g4dn.xlarge' })
})

test('spot instances have a quota of their own for each family', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.quota('g', 'spot', 0)
  expect(await refusalOf(ec2.launch({ InstanceType: 'g4dn.xlarge' }))).toEqual({
    code: 'MaxSpotInstanceCountExceeded',
    status: 400,
    message: 'Max spot instance count exceeded',
  })
  await ec2.launch()
  await ec2.launch({ ...onDemand, InstanceType: 'g4dn.xlarge' })
  expect((await ec2.control('quotas')).json).toEqual([{ name: 'g', market: 'spot', limit: 0 }])
})

test('what is terminated counts no more', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.quota('standard', 'spot', 2)
  const id = await ec2.launchRunning()
  expect(await refusalOf(ec2.launch())).toMatchObject({ code: 'MaxSpotInstanceCountExceeded' })
  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  await ec2.clock.advance(60_000)
  await ec2.launch()
})

test('of several that are wanted as many are launched as there are pieces', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.noCapacity({ instanceType: usualLaunch(ec2.simulator).InstanceType ?? '', pieces: 2 })
  const { Instances } = await ec2.launch({ MinCount: 1, MaxCount: 5 })
  expect(Instances).toHaveLength(2)
  expect(await refusalOf(ec2.launch({ MinCount: 1, MaxCount: 5 }))).toMatchObject({
    code: 'InsufficientInstanceCapacity',
  })
})
