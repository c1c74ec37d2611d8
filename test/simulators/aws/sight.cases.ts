import {
  CreateTagsCommand,
  DescribeInstancesCommand,
  DescribeTagsCommand,
  type DescribeInstancesCommandInput,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'

/** The states of the instances that a list shows. */
async function states(ec2: Ec2Fixture, input: DescribeInstancesCommandInput = {}): Promise<(string | undefined)[]> {
  const { Reservations = [] } = await ec2.client.send(new DescribeInstancesCommand(input))
  return Reservations.flatMap(({ Instances = [] }) => Instances.map(({ State }) => State?.Name))
}

test('a launched instance is seen late by a filter, too, and in a list without pages', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.invisible({ create: 3000 })
  await ec2.launchOne({ ClientToken: 'token-1' })
  const byToken = { Filters: [{ Name: 'client-token', Values: ['token-1'] }] }
  await ec2.clock.advance(2999)
  expect([await states(ec2), await states(ec2, byToken)]).toEqual([[], []])
  await ec2.clock.advance(1)
  expect([await states(ec2), await states(ec2, byToken)]).toEqual([['running'], ['running']])
})

test('tags are seen late, those of the launch too', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.invisible({ tags: 4000 })
  const byTag = (name: string) => states(ec2, { Filters: [{ Name: `tag:${name}`, Values: ['*'] }] })
  const id = await ec2.launchOne()
  expect([await states(ec2), await byTag('Name')]).toEqual([['pending'], []])
  expect((await ec2.client.send(new DescribeTagsCommand({}))).Tags).toEqual([])
  await ec2.clock.advance(4000)
  expect((await ec2.look(id)).Tags).toEqual([{ Key: 'Name', Value: 'worker' }])

  await ec2.client.send(new CreateTagsCommand({ Resources: [id], Tags: [{ Key: 'late', Value: '1' }] }))
  await ec2.clock.advance(3999)
  expect([await byTag('Name'), await byTag('late')]).toEqual([['running'], []])
  await ec2.clock.advance(1)
  expect(await byTag('late')).toEqual(['running'])
})

test('an instance that no list shows yet cannot be tagged where calls that change something are late as well', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.invisible({ create: 3000, writes: true })
  const Resources = [await ec2.launchOne()]
  const tag = () => ec2.client.send(new CreateTagsCommand({ Resources, Tags: [{ Key: 'a', Value: '1' }] }))
  expect(await refusalOf(tag())).toMatchObject({ code: 'InvalidInstanceID.NotFound', status: 400 })
  await ec2.clock.advance(3000)
  await tag()
})
