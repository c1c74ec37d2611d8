import {
  CreateTagsCommand,
  DescribeInstancesCommand,
  DescribeTagsCommand,
  TerminateInstancesCommand,
  type DescribeInstancesCommandInput,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'

const ClientToken = 'token-1'

/** The states of the instances that a list shows. */
async function states(ec2: Ec2Fixture, input: DescribeInstancesCommandInput = {}): Promise<(string | undefined)[]> {
  const { Reservations = [] } = await ec2.client.send(new DescribeInstancesCommand(input))
  return Reservations.flatMap(({ Instances = [] }) => Instances.map(({ State }) => State?.Name))
}

const byToken = { Filters: [{ Name: 'client-token', Values: [ClientToken] }] }

test('a launched instance is seen late: not in the list, not by a filter, not by its id', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.invisible({ create: 3000 })
  const id = await ec2.launchOne({ ClientToken })
  await ec2.clock.advance(2999)
  expect([await states(ec2), await states(ec2, byToken), await states(ec2, { MaxResults: 5 })]).toEqual([[], [], []])
  expect(await refusalOf(states(ec2, { InstanceIds: [id] }))).toMatchObject({ code: 'InvalidInstanceID.NotFound' })
  await ec2.clock.advance(1)
  expect(await states(ec2, { InstanceIds: [id] })).toEqual(['running'])
  expect(await states(ec2, byToken)).toEqual(['running'])
})

test('the token of a launch is known at once, however late lists are', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.invisible(60_000)
  ec2.simulator.control.lag({ minMs: 60_000, maxMs: 60_000 })
  const id = await ec2.launchOne({ ClientToken })
  await ec2.clock.advance(2000)
  const { Instances } = await ec2.launch({ ClientToken })
  expect(Instances).toMatchObject([{ InstanceId: id, State: { Name: 'running' } }])
  expect(await states(ec2)).toEqual([])
})

test('an end is seen late, state by state; a launch is not', async () => {
  await using ec2 = await startEc2({ shutdownMs: 1000 })
  ec2.simulator.control.invisible({ delete: 5000 })
  const id = await ec2.launchOne()
  expect(await states(ec2)).toEqual(['pending'])
  await ec2.clock.advance(10_000)
  await ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  const seen: unknown[] = []
  for (const wait of [0, 4999, 1, 999, 1]) {
    await ec2.clock.advance(wait)
    seen.push(...(await states(ec2)))
  }
  expect(seen).toEqual(['running', 'running', 'shutting-down', 'shutting-down', 'terminated'])
})

test('an instance that is gone without a trace is still shown for a while', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  await ec2.clock.advance(10_000)
  ec2.simulator.control.invisible({ delete: 5000 })
  ec2.simulator.control.vanish(id)
  await ec2.clock.advance(4999)
  expect(await states(ec2)).toEqual(['running'])
  await ec2.clock.advance(1)
  expect(await states(ec2)).toEqual([])
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

test('an instance that no list shows yet can be ended, unless calls that change something are late as well', async () => {
  await using ec2 = await startEc2()
  ec2.simulator.control.invisible({ create: 3000 })
  const terminate = (id: string) => ec2.client.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
  await terminate(await ec2.launchOne())
  ec2.simulator.control.invisible({ create: 3000, writes: true })
  const id = await ec2.launchOne()
  const tag = new CreateTagsCommand({ Resources: [id], Tags: [{ Key: 'a', Value: '1' }] })
  for (const call of [terminate(id), ec2.client.send(tag)]) {
    expect(await refusalOf(call)).toMatchObject({ code: 'InvalidInstanceID.NotFound', status: 400 })
  }
  await ec2.clock.advance(3000)
  await terminate(id)
})

/** What is seen of one instance in the quarter of a minute after its launch, by two lists a second. */
async function sightings(seed: number): Promise<(string | undefined)[]> {
  await using ec2 = await startEc2({ lag: { minMs: 0, maxMs: 10_000, seed } })
  await ec2.launchOne()
  const seen: (string | undefined)[] = []
  for (let list = 0; list < 30; list++) {
    const [state = 'nothing'] = await states(ec2)
    seen.push(state)
    await ec2.clock.advance(500)
  }
  return seen
}

test('with a lag each list shows a past moment of its own, the same ones for the same seed', async () => {
  const [first, again, other] = [await sightings(7), await sightings(7), await sightings(8)]
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  // What was seen is not seen for sure in the next list.
  const firstSeen = first.findIndex((state) => state !== 'nothing')
  expect(first.slice(firstSeen)).toContain('nothing')
  // Two seconds to boot and ten of lag: from then on every list is right.
  expect(new Set(first.slice(24))).toEqual(new Set(['running']))
})

test('over HTTP, and back to now', async () => {
  await using ec2 = await startEc2()
  await ec2.control('invisible', { create: '3s' })
  await ec2.control('lag', { min: '1s', max: '2s', seed: 3 })
  await ec2.launchOne()
  await ec2.clock.advance(3999)
  expect(await states(ec2)).toEqual([])
  await ec2.clock.advance(1001)
  expect(await states(ec2)).toEqual(['running'])
  await ec2.control('invisible', {})
  await ec2.control('lag', { min: '0' })
  await ec2.launchOne()
  expect(await states(ec2)).toEqual(['running', 'pending'])
})
