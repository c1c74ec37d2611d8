import { expect, test } from 'vitest'
import { instancesPath, onDemand, startGce, zone, type GceFixture, type Message } from './fixture.ts'
import { spot } from './traps/trap.ts'

const preempted = { filter: 'operationType="compute.instances.preempted"' }

async function preemptions(gce: GceFixture): Promise<Message[]> {
  const { items = [] } = await gce.done('GET', `zones/${zone}/operations`, { query: preempted })
  return items as Message[]
}

test('a preempted instance stops, and only an operation of GCE itself proves that it was not its user', async () => {
  await using gce = await startGce()
  const { targetId } = await gce.inserted()
  await gce.insertRunning({ name: 'stopped' })
  gce.simulator.control.interrupt('worker')
  gce.simulator.control.stop('stopped')
  expect((await gce.look('worker'))?.status).toBe('STOPPING')
  expect(await preemptions(gce)).toMatchObject([
    {
      name: expect.stringMatching(/^systemevent-\d+-/) as string,
      user: 'system',
      status: 'DONE',
      targetId,
      targetLink: expect.stringMatching(/\/instances\/worker$/) as string,
      statusMessage: 'Instance was preempted.',
      insertTime: '2025-12-31T16:00:02.000-08:00',
    },
  ])
  await gce.clock.advance(1000)
  expect([(await gce.look('worker'))?.status, (await gce.look('stopped'))?.status]).toEqual([
    'TERMINATED',
    'TERMINATED',
  ])
})

test('with DELETE nothing is left but the operation', async () => {
  await using gce = await startGce()
  const { targetId } = await gce.insertRunning(spot({ instanceTerminationAction: 'DELETE' }))
  await gce.control('interrupt', { id: targetId })
  expect((await gce.look('worker'))?.status).toBe('STOPPING')
  await gce.clock.advance(1000)
  expect(await gce.look('worker')).toBeUndefined()
  expect(gce.simulator.control.remains()).toEqual({ instances: [], disks: [], addresses: [] })
  expect(await preemptions(gce)).toMatchObject([{ targetId }])
})

test('an instance that asked for a notice runs on through it', async () => {
  await using gce = await startGce()
  await gce.insertRunning(spot({ preemptionNoticeDuration: { seconds: '120' } }))
  gce.simulator.control.interrupt('worker')
  await gce.clock.advance(119_999)
  expect([(await gce.look('worker'))?.status, await preemptions(gce)]).toEqual(['RUNNING', []])
  await gce.clock.advance(1)
  expect((await gce.look('worker'))?.status).toBe('STOPPING')
  expect(await preemptions(gce)).toHaveLength(1)
})

test('a notice can be given to any, and a user may be faster', async () => {
  await using gce = await startGce({ noticeMs: 30_000 })
  await gce.inserted()
  await gce.insertRunning({ name: 'quick' })
  gce.simulator.control.interrupt('worker')
  gce.simulator.control.interrupt('quick', 0)
  expect([(await gce.look('worker'))?.status, (await gce.look('quick'))?.status]).toEqual(['RUNNING', 'STOPPING'])
  await gce.done('DELETE', `${instancesPath}/worker`)
  await gce.clock.advance(60_000)
  expect(await preemptions(gce)).toHaveLength(1)
})

test('names are used again: the operation tells of the instance by its id', async () => {
  await using gce = await startGce()
  const first = await gce.insertRunning(spot({ instanceTerminationAction: 'DELETE' }))
  gce.simulator.control.interrupt('worker')
  await gce.clock.advance(1000)
  const second = await gce.inserted()
  expect(second.targetId).not.toBe(first.targetId)
  const filter = `${preempted.filter} AND targetId=${String(second.targetId)}`
  expect((await gce.done('GET', `zones/${zone}/operations`, { query: { filter } })).items).toBeUndefined()
})

test('an instance can be preempted before it runs', async () => {
  await using gce = await startGce()
  const { name } = await gce.inserted()
  await gce.clock.advance(1000)
  gce.simulator.control.interrupt('worker')
  await gce.clock.advance(10_000)
  expect((await gce.look('worker'))?.status).toBe('TERMINATED')
  expect((await gce.operation(name)).error).toBeDefined()
})

test('a simulated maintenance event preempts a spot instance, and only that', async () => {
  await using gce = await startGce()
  await gce.inserted()
  await gce.inserted({ name: 'moved', ...onDemand })
  await gce.insertRunning({ name: 'ended', scheduling: { onHostMaintenance: 'TERMINATE' } })
  for (const name of ['worker', 'moved', 'ended']) {
    const operation = await gce.done('POST', `${instancesPath}/${name}/simulateMaintenanceEvent`)
    expect(operation).toMatchObject({ operationType: 'simulateMaintenanceEvent', status: 'DONE' })
  }
  await gce.clock.advance(1000)
  const states = gce.simulator.control.instances().map(({ name, state, reason }) => [name, state, reason])
  expect(states).toEqual([
    ['worker', 'TERMINATED', 'compute.instances.preempted'],
    ['moved', 'RUNNING', undefined],
    ['ended', 'TERMINATED', 'compute.instances.terminateOnHostMaintenance'],
  ])
})
