import { expect, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import type { InfraMachine } from '../../api/machine.ts'
import { CloudError } from '../../providers/errors.ts'
import type { Launch, Scope } from '../../providers/instances.ts'
import { FakeClock } from '../../test/fake-clock.ts'
import { FakeCloud } from '../../test/fake-cloud.ts'
import { quietCtx } from '../../test/quiet-ctx.ts'
import { ApiError } from '../runtime/api-error.ts'
import { EventLoop } from '../runtime/event-loop.ts'
import { InstanceMetrics } from './instances.ts'
import { Metrics } from './metrics.ts'
import { countCloudCalls, countInterruptions, countPasses, countRelists, countRequests } from './observers.ts'
import { showMachines, showQueue, showVitals } from './vitals.ts'

const scope: Scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
const launch = { scope, owner: 'o', machine: 'default/m', token: 't' } as Launch

/** The lines of the text that begin so and are not zero. */
async function lines(metrics: Metrics, name: string): Promise<string[]> {
  const text = await metrics.text()
  return text.split('\n').filter((line) => line.startsWith(name) && !line.endsWith(' 0'))
}

it('counts requests to the API server by verb and by what was answered', async () => {
  const metrics = new Metrics()
  const tell = countRequests(metrics)
  const failed = (status: number, reason: string) => new ApiError({ status, reason, message: 'canary' })
  tell({ verb: 'get', begunAt: 0, ms: 1 })
  tell({ verb: 'patch', begunAt: 0, ms: 1, error: failed(409, 'Conflict') })
  tell({ verb: 'patch', begunAt: 0, ms: 1, error: failed(0, 'Unreachable') })
  expect(await lines(metrics, 'capspot_apiserver_requests_total')).toEqual([
    'capspot_apiserver_requests_total{verb="get",code="2xx"} 1',
    'capspot_apiserver_requests_total{verb="patch",code="409"} 1',
    'capspot_apiserver_requests_total{verb="patch",code="Unreachable"} 1',
  ])
})

it('counts passes, relists and calls to a cloud', async () => {
  const metrics = new Metrics()
  countPasses(metrics, 'AWSMachine')({ result: 'again', ms: 1_500 })
  countRelists(metrics, 'Machine')('expired')
  const made = { scope, action: 'RunInstances', code: 'InsufficientInstanceCapacity', ms: 300 }
  countCloudCalls(metrics)(made)
  countCloudCalls(metrics)({ ...made, code: 'OK', waitedMs: 2_000 })
  expect(await lines(metrics, 'capspot_reconciles_total')).toEqual([
    'capspot_reconciles_total{controller="AWSMachine",result="again"} 1',
  ])
  expect(await lines(metrics, 'capspot_reconcile_duration_seconds_sum')).toEqual([
    'capspot_reconcile_duration_seconds_sum{controller="AWSMachine"} 1.5',
  ])
  expect(await lines(metrics, 'capspot_watch_relists_total')).toEqual([
    'capspot_watch_relists_total{kind="Machine",reason="expired"} 1',
  ])
  expect(await lines(metrics, 'capspot_cloud_calls_total')).toEqual([
    'capspot_cloud_calls_total{cloud="aws",action="RunInstances",code="InsufficientInstanceCapacity"} 1',
    'capspot_cloud_calls_total{cloud="aws",action="RunInstances",code="OK"} 1',
  ])
  expect(await lines(metrics, 'capspot_cloud_throttle_wait_seconds_sum')).toEqual([
    'capspot_cloud_throttle_wait_seconds_sum{cloud="aws",action="RunInstances"} 2',
  ])
})

it('counts an interruption when the machine says so, and passes every event on', async () => {
  const metrics = new Metrics()
  const passedOn: string[] = []
  const recorder = countInterruptions(metrics, {
    event: ({ reason }) => void passedOn.push(reason),
    settled: () => Promise.resolve(),
  })
  const object = { apiVersion: 'v1', kind: 'AWSMachine', metadata: { name: 'm' } }
  for (const reason of ['Running', 'Interrupted']) {
    recorder.event({ object, type: 'Normal', reason, message: 'canary' }, quietCtx())
  }
  expect(passedOn).toEqual(['Running', 'Interrupted'])
  expect(await lines(metrics, 'capspot_interruptions_total')).toEqual([
    'capspot_interruptions_total{kind="AWSMachine"} 1',
  ])
})

it('counts launches by what came of them, and hands through answers and refusals', async () => {
  const metrics = new Metrics()
  const cloud = new FakeCloud()
  const instances = new InstanceMetrics(metrics, { clock: new FakeClock() }).of(cloud)
  const refused = new CloudError('capacity', { code: 'InsufficientInstanceCapacity', message: 'none left' })
  cloud.createFaults.push({ when: 'before', error: refused })
  await expect(instances.create(launch, quietCtx())).rejects.toBe(refused)
  const created = await instances.create(launch, quietCtx())
  expect(await instances.find({ ...launch, id: created.id }, quietCtx())).toBe(created)
  expect(await instances.terminate({ ...launch, id: created.id }, quietCtx())).toBe('going')
  expect(await lines(metrics, 'capspot_launches_total')).toEqual([
    'capspot_launches_total{cloud="aws",result="created"} 1',
    'capspot_launches_total{cloud="aws",result="capacity"} 1',
  ])
})

it('shows the instances of the last complete list and its age', async () => {
  const metrics = new Metrics()
  const clock = new FakeClock()
  const cloud = new FakeCloud()
  const instances = new InstanceMetrics(metrics, { clock }).of(cloud)
  const list = async () => {
    for await (const { complete } of instances.list(scope, quietCtx())) expect(complete).toBe(true)
  }
  const first = await cloud.create(launch, quietCtx())
  await cloud.create({ ...launch, token: 'second' }, quietCtx())
  await list()
  cloud.set(first.id, 'running')
  await clock.advance(3_000)
  const where = 'cloud="aws",identity="default",region="us-east-1"'
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

it('shows machines by what their condition says', async () => {
  const metrics = new Metrics()
  const machine = (reason?: string) =>
    ({ status: reason ? { conditions: [{ type: 'Ready', status: 'True', reason }] } : {} }) as InfraMachine
  const machines = [machine('Running'), machine('Running'), machine()]
  expect(findCondition(machines[0]?.status?.conditions, 'Ready')?.reason).toBe('Running')
  showMachines(metrics, { AWSMachine: { list: () => machines } })
  expect(await lines(metrics, 'capspot_machines')).toEqual([
    'capspot_machines{kind="AWSMachine",reason="Running"} 2',
    'capspot_machines{kind="AWSMachine",reason="None"} 1',
  ])
})

it('shows the process, the queues, and whether it leads and may write', async () => {
  const metrics = new Metrics()
  const state = { leads: true, closed: undefined as string | undefined }
  const gate = { closed: () => state.closed }
  showVitals(metrics, { eventLoop: new EventLoop({ clock: new FakeClock() }), gate, isLeader: () => state.leads })
  showQueue(metrics, 'AWSMachine', { depth: { ready: 1, delayed: 2, taken: 3 } })
  expect(await lines(metrics, 'capspot_leader')).toEqual(['capspot_leader 1'])
  expect(await lines(metrics, 'capspot_cloud_writes_allowed')).toEqual(['capspot_cloud_writes_allowed 1'])
  expect(await lines(metrics, 'capspot_queue_depth')).toEqual([
    'capspot_queue_depth{controller="AWSMachine",state="ready"} 1',
    'capspot_queue_depth{controller="AWSMachine",state="delayed"} 2',
    'capspot_queue_depth{controller="AWSMachine",state="taken"} 3',
  ])
  expect(await lines(metrics, 'capspot_process_resident_memory_bytes')).toHaveLength(1)
  state.leads = false
  state.closed = 'The API server is away.'
  expect(await lines(metrics, 'capspot_leader')).toEqual([])
  expect(await lines(metrics, 'capspot_cloud_writes_allowed')).toEqual([])
})
