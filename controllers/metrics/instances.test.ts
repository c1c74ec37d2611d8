import { expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import type { Launch } from '../../providers/instances.ts'
import type { Scope } from '../../api/scope.ts'
import { tagOf } from '../../providers/shared/ownership.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { FakeCloud, fakeScope } from '../../test/support/fakes/fake-cloud.ts'
import { lines } from '../../test/support/metric-lines.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { counted } from '../../providers/decorators/counted.ts'
import { InstanceMetrics } from './instances.ts'
import { Metrics } from './metrics.ts'

const scope: Scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
const launch = { scope, owner: 'o', machine: 'default/m', token: 't' } as Launch
const which = { scope, tag: tagOf(launch) }

it('counts launches by what came of them, and hands through answers and refusals', async () => {
  const metrics = new Metrics()
  const cloud = new FakeCloud()
  const instances = counted(cloud, new InstanceMetrics(metrics, { clock: new FakeClock() }))
  const refused = new CloudError('capacity', { code: 'InsufficientInstanceCapacity', message: 'none left' })
  cloud.createFaults.push({ when: 'before', error: refused })
  await expect(instances.create(launch, quietCtx())).rejects.toBe(refused)
  const created = await instances.create(launch, quietCtx())
  expect(await instances.find({ ...which, id: created.id }, quietCtx())).toBe(created)
  expect(await instances.terminate({ ...which, id: created.id }, quietCtx())).toBe('going')
  expect(await lines(metrics, 'capspot_launches_total')).toEqual([
    'capspot_launches_total{cloud="aws",result="created"} 1',
    'capspot_launches_total{cloud="aws",result="capacity"} 1',
  ])
})

it('shows the instances of the last complete list and its age', async () => {
  const metrics = new Metrics()
  const clock = new FakeClock()
  const cloud = new FakeCloud()
  const instances = counted(cloud, new InstanceMetrics(metrics, { clock }))
  const list = async () => {
    for await (const { complete } of instances.list(scope, quietCtx())) expect(complete).toBe(true)
  }
  const first = await cloud.create(launch, quietCtx())
  await cloud.create({ ...launch, token: 'second' }, quietCtx())
  await list()
  cloud.set(first.id, 'running')
  await clock.advance(3_000)
  const where = 'cloud="aws",identity="default",account="",region="us-east-1"'
  expect(await lines(metrics, 'capspot_instances')).toEqual([`capspot_instances{${where},state="pending"} 2`])
  expect(await lines(metrics, 'capspot_fleet')).toEqual([`capspot_fleet_list_age_seconds{${where}} 3`])
  await list()
  expect(await lines(metrics, 'capspot_instances')).toEqual([
    `capspot_instances{${where},state="running"} 1`,
    `capspot_instances{${where},state="pending"} 1`,
  ])
  cloud.listFault = new CloudError('transient', { code: 'Unavailable', message: 'later' })
  await expect(list()).rejects.toThrow('later')
  await clock.advance(60_000)
  expect(await lines(metrics, 'capspot_fleet')).toEqual([`capspot_fleet_list_age_seconds{${where}} 60`])
})

it('F6: two accounts in one region are two series, each with the age of its own list', async () => {
  const metrics = new Metrics()
  const clock = new FakeClock()
  const shown = new InstanceMetrics(metrics, { clock })
  const list = async (account: string, count: number) => {
    const cloud = new FakeCloud()
    cloud.account = account
    const there = { ...scope, account }
    for (let n = 0; n < count; n++) await cloud.create({ ...launch, scope: there, token: `t${n}` }, quietCtx())
    for await (const { complete } of counted(cloud, shown).list(there, quietCtx())) expect(complete).toBe(true)
  }
  await list('one', 5)
  await clock.advance(600_000)
  await list('two', 2)
  const where = (account: string) => `cloud="aws",identity="default",account="${account}",region="us-east-1"`
  expect(await lines(metrics, 'capspot_instances')).toEqual([
    `capspot_instances{${where('one')},state="pending"} 5`,
    `capspot_instances{${where('two')},state="pending"} 2`,
  ])
  expect(await lines(metrics, 'capspot_fleet')).toEqual([`capspot_fleet_list_age_seconds{${where('one')}} 600`])
})

it('F6: a fleet that was never listed grows old, so that wrong credentials are seen', async () => {
  const metrics = new Metrics()
  const clock = new FakeClock()
  const cloud = new FakeCloud()
  const shown = new InstanceMetrics(metrics, { clock })
  const denied = new CloudError('denied', { code: 'AuthFailure', message: 'wrong keys' })
  for (let tries = 0; tries < 2; tries++) {
    shown.follow(scope)
    cloud.listFault = denied
    await expect(counted(cloud, shown).list(scope, quietCtx())[Symbol.asyncIterator]().next()).rejects.toBe(denied)
    await clock.advance(60_000)
  }
  const where = 'cloud="aws",identity="default",account="",region="us-east-1"'
  expect(await lines(metrics, 'capspot_fleet')).toEqual([`capspot_fleet_list_age_seconds{${where}} 120`])
})

it('an account that is learnt is one series, and the one without an account goes', async () => {
  const metrics = new Metrics()
  const clock = new FakeClock()
  const shown = new InstanceMetrics(metrics, { clock })
  const cloud = new FakeCloud()
  await cloud.create(launch, quietCtx())
  const learnt = { ...scope, account: fakeScope.account }
  for (const listed of [scope, learnt]) {
    shown.follow(listed)
    for await (const { items } of counted(cloud, shown).list(listed, quietCtx())) expect(items).toHaveLength(1)
    await clock.advance(3_000)
  }
  const where = `cloud="aws",identity="default",account="${learnt.account}",region="us-east-1"`
  expect(await lines(metrics, 'capspot_instances')).toEqual([`capspot_instances{${where},state="pending"} 1`])
  expect(await lines(metrics, 'capspot_fleet')).toEqual([`capspot_fleet_list_age_seconds{${where}} 3`])
})

it('shows nothing of a scope whose fleet has ended', async () => {
  const metrics = new Metrics()
  const shown = new InstanceMetrics(metrics, { clock: new FakeClock() })
  const cloud = new FakeCloud()
  await cloud.create(launch, quietCtx())
  for await (const { items } of counted(cloud, shown).list(scope, quietCtx())) expect(items).toHaveLength(1)
  expect(await lines(metrics, 'capspot_instances')).toHaveLength(1)
  shown.forget(scope)
  expect(await lines(metrics, 'capspot_instances')).toEqual([])
  expect(await lines(metrics, 'capspot_fleet_list_age_seconds')).toEqual([])
})
