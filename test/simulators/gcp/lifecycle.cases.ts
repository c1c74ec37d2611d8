import { expect, test } from 'vitest'
import { failureOf, instancesPath, onDemand, refusalOf, startGce, zone, type GceFixture } from './fixture.ts'
import { disk } from './traps/trap.ts'

/** What is seen of an instance and of an operation after each of these waits. */
async function course(gce: GceFixture, operation: unknown, waits: readonly number[]): Promise<unknown[]> {
  const seen: unknown[] = []
  for (const wait of waits) {
    await gce.clock.advance(wait)
    seen.push([(await gce.look('worker'))?.status, (await gce.operation(operation)).status])
  }
  return seen
}

test('an insert is accepted, and done when the instance runs', async () => {
  await using gce = await startGce({ bootMs: 30_000 })
  const { name, targetId, targetLink } = await gce.inserted()
  expect(await course(gce, name, [0, 14_999, 1, 14_999, 1])).toEqual([
    ['PROVISIONING', 'RUNNING'],
    ['PROVISIONING', 'RUNNING'],
    ['STAGING', 'RUNNING'],
    ['STAGING', 'RUNNING'],
    ['RUNNING', 'DONE'],
  ])
  const instance = await gce.look('worker')
  expect([instance?.id, instance?.['selfLink']]).toEqual([targetId, targetLink])
  expect(await gce.operation(name)).toMatchObject({ progress: 100, user: expect.stringContaining('@') as string })
  expect((await gce.operation(name)).error).toBeUndefined()
})

test('a running spot instance shows all that a provider reads', async () => {
  await using gce = await startGce()
  await gce.insertRunning({
    serviceAccounts: [{ email: 'default', scopes: ['https://www.googleapis.com/auth/compute'] }],
  })
  expect(await gce.look('worker')).toMatchObject({
    kind: 'compute#instance',
    name: 'worker',
    status: 'RUNNING',
    creationTimestamp: '2025-12-31T16:00:00.000-08:00',
    lastStartTimestamp: '2025-12-31T16:00:02.000-08:00',
    zone: `https://www.googleapis.com/compute/v1/projects/spot-simulated/zones/${zone}`,
    labels: { role: 'worker' },
    networkInterfaces: [{ networkIP: '10.0.0.2' }],
    serviceAccounts: [{ email: '123456789012-compute@developer.gserviceaccount.com' }],
    disks: [{ boot: true, autoDelete: true, diskSizeGb: '20', architecture: 'X86_64' }],
    metadata: { items: [{ key: 'user-data', value: '#cloud-config\n' }] },
  })
})

test('a delete passes through STOPPING and leaves nothing, not the disk, not the address', async () => {
  await using gce = await startGce()
  await gce.insertRunning()
  const { name } = await gce.done('DELETE', `${instancesPath}/worker`)
  expect(await course(gce, name, [0, 999, 1])).toEqual([
    ['STOPPING', 'RUNNING'],
    ['STOPPING', 'RUNNING'],
    [undefined, 'DONE'],
  ])
  expect(gce.simulator.control.remains()).toEqual({ instances: [], disks: [], addresses: [] })
})

test('a delete by the numeric id deletes this one and no other of its name', async () => {
  await using gce = await startGce()
  const { targetId } = await gce.inserted()
  await gce.done('DELETE', `${instancesPath}/${targetId}`)
  await gce.clock.advance(1000)
  await gce.inserted()
  expect(await refusalOf(gce.call('DELETE', `${instancesPath}/${targetId}`))).toMatchObject({ code: 'notFound' })
  expect(await refusalOf(gce.call('GET', `${instancesPath}/${targetId}`))).toMatchObject({ code: 'notFound' })
  expect(gce.simulator.control.instances()).toHaveLength(1)
})

test('two deletes end together, each with its own operation', async () => {
  await using gce = await startGce()
  await gce.insertRunning()
  const [first, second] = [
    await gce.done('DELETE', `${instancesPath}/worker`),
    await gce.done('DELETE', `${instancesPath}/worker`),
  ]
  expect(first.name).not.toBe(second.name)
  await gce.clock.advance(1000)
  for (const { name } of [first, second])
    expect(failureOf(await gce.operation(name))).toMatchObject({ status: 'DONE', code: undefined })
})

test('an instance that is deleted while it boots never runs, and its insert says so', async () => {
  await using gce = await startGce()
  const { name } = await gce.inserted()
  await gce.done('DELETE', `${instancesPath}/worker`)
  expect(failureOf(await gce.operation(name))).toMatchObject({
    status: 'DONE',
    code: 'OPERATION_CANCELED_BY_USER',
    http: [409, 'CONFLICT'],
  })
  await gce.clock.advance(10_000)
  expect(gce.simulator.control.remains()).toEqual({ instances: [], disks: [], addresses: [] })
})

test('what is protected is not deleted', async () => {
  await using gce = await startGce()
  await gce.inserted({ deletionProtection: true })
  expect(await refusalOf(gce.call('DELETE', `${instancesPath}/worker`))).toEqual({
    code: 'invalidResourceUsage',
    status: 400,
    message: "Invalid resource usage: 'Resource cannot be deleted if it's protected against deletion.'.",
  })
  expect((await gce.look('worker'))?.status).toBe('PROVISIONING')
})

test('a disk that does not go with its instance stays behind, and costs', async () => {
  await using gce = await startGce()
  await gce.inserted(disk({}, { autoDelete: false }))
  gce.simulator.control.terminate('worker')
  await gce.clock.advance(1000)
  expect(gce.simulator.control.remains()).toEqual({ instances: [], disks: ['worker'], addresses: [] })
})

test('a stopped instance keeps its address and its disk, and can be started', async () => {
  await using gce = await startGce()
  await gce.insertRunning()
  const stop = await gce.done('POST', `${instancesPath}/worker/stop`)
  expect(await course(gce, stop.name, [0, 1000])).toEqual([
    ['STOPPING', 'RUNNING'],
    ['TERMINATED', 'DONE'],
  ])
  expect(await gce.look('worker')).toMatchObject({ lastStopTimestamp: '2025-12-31T16:00:03.000-08:00' })
  expect(gce.simulator.control.remains()).toEqual({ instances: ['worker'], disks: ['worker'], addresses: ['10.0.0.2'] })
  const start = await gce.done('POST', `${instancesPath}/worker/start`)
  expect(start.operationType).toBe('start')
  expect(await course(gce, start.name, [0, 2000])).toEqual([
    ['PROVISIONING', 'RUNNING'],
    ['RUNNING', 'DONE'],
  ])
})

test('what is stopped is stopped already, what runs runs, and what stops cannot be started', async () => {
  await using gce = await startGce()
  await gce.insertRunning()
  expect((await gce.done('POST', `${instancesPath}/worker/start`)).status).toBe('DONE')
  await gce.done('POST', `${instancesPath}/worker/stop`)
  expect(await refusalOf(gce.call('POST', `${instancesPath}/worker/start`))).toMatchObject({
    code: 'resourceNotReady',
    status: 400,
  })
  await gce.clock.advance(1000)
  expect((await gce.done('POST', `${instancesPath}/worker/stop`)).status).toBe('DONE')
})

test('a start that fails leaves the instance stopped', async () => {
  await using gce = await startGce()
  await gce.insertRunning()
  gce.simulator.control.stop('worker')
  await gce.clock.advance(1000)
  await gce.control('fail-next-operation', { type: 'start', code: 'ZONE_RESOURCE_POOL_EXHAUSTED' })
  const { name } = await gce.done('POST', `${instancesPath}/worker/start`)
  await gce.clock.advance(2000)
  expect(failureOf(await gce.operation(name))).toMatchObject({
    code: 'ZONE_RESOURCE_POOL_EXHAUSTED',
    http: [503, 'SERVICE UNAVAILABLE'],
  })
  expect((await gce.look('worker'))?.status).toBe('TERMINATED')
})

test.each([
  ['guest', 'compute.instances.guestTerminate'],
  ['maintenance', 'compute.instances.terminateOnHostMaintenance'],
  ['hostError', 'compute.instances.hostError'],
] as const)('stopped by %s: an operation of GCE itself says so', async (reason, operationType) => {
  await using gce = await startGce()
  const { targetId } = await gce.insertRunning()
  gce.simulator.control.stop('worker', reason)
  await gce.clock.advance(1000)
  expect((await gce.look('worker'))?.status).toBe('TERMINATED')
  const { items } = await gce.done('GET', `zones/${zone}/operations`, { query: { filter: 'user=system' } })
  expect(items).toMatchObject([{ operationType, targetId, status: 'DONE' }])
})

test('an instance whose host fails is under repair, and runs again', async () => {
  await using gce = await startGce()
  await gce.insertRunning()
  gce.simulator.control.impair('worker')
  expect((await gce.look('worker'))?.status).toBe('REPAIRING')
  gce.simulator.control.repair('worker')
  expect((await gce.look('worker'))?.status).toBe('RUNNING')
})

test('an instance that vanishes is in no list and under no name, and no operation tells of it', async () => {
  await using gce = await startGce()
  await gce.insertRunning({ ...onDemand })
  gce.simulator.control.vanish('worker')
  expect(await gce.look('worker')).toBeUndefined()
  expect(gce.simulator.control.remains()).toEqual({ instances: [], disks: [], addresses: [] })
  const { items } = await gce.done('GET', `zones/${zone}/operations`)
  expect((items as unknown[]).length).toBe(1)
})
