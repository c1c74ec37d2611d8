import { expect, it } from 'vitest'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { lines } from '../../test/support/metric-lines.ts'
import { EventLoop } from '../runtime/process/event-loop.ts'
import { Metrics } from './metrics.ts'
import { showMachines, showGate, showQueue, showRemediations, showVitals } from './vitals.ts'

it('shows machines by what their condition says', async () => {
  const metrics = new Metrics()
  const machine = (reason?: string) =>
    ({ status: reason ? { conditions: [{ type: 'Ready', status: 'True', reason }] } : {} }) as InfraMachine
  const machines = [machine('Running'), machine('Running'), machine()]
  const others = [{ status: {} }] as InfraMachine[]
  showMachines(
    metrics,
    new Map([
      ['AWSMachine', { list: () => machines }],
      ['IBMMachine', { list: () => others }],
    ]),
  )
  expect(await lines(metrics, 'capspot_machines')).toEqual([
    'capspot_machines{kind="AWSMachine",reason="Running"} 2',
    'capspot_machines{kind="AWSMachine",reason="None"} 1',
    'capspot_machines{kind="IBMMachine",reason="None"} 1',
  ])
})

it('shows Machines by what the remediation controller says on them, and nothing of whom it is silent', async () => {
  const metrics = new Metrics()
  const machine = (reason?: string) =>
    ({ status: { conditions: reason ? [{ type: 'SpotRemediationDue', status: 'False', reason }] : [] } }) as Machine
  let machines = [machine('BackingOff'), machine('BackingOff'), machine('Due'), machine()]
  showRemediations(metrics, { list: () => machines })
  expect(await lines(metrics, 'capspot_remediations')).toEqual([
    'capspot_remediations{reason="Due"} 1',
    'capspot_remediations{reason="BackingOff"} 2',
  ])
  machines = []
  expect(await lines(metrics, 'capspot_remediations')).toEqual([])
})

it('shows the process, the queues, and whether it leads and may write', async () => {
  const metrics = new Metrics()
  const state = { leads: true, closed: undefined as string | undefined }
  const gate = { closed: () => state.closed }
  showVitals(metrics, { eventLoop: new EventLoop({ clock: new FakeClock() }), isLeader: () => state.leads })
  showGate(metrics, 'aws', gate)
  showQueue(metrics, 'AWSMachine', { depth: { ready: 1, delayed: 2, taken: 3 } })
  expect(await lines(metrics, 'capspot_leader')).toEqual(['capspot_leader 1'])
  expect(await lines(metrics, 'capspot_cloud_writes_allowed')).toEqual(['capspot_cloud_writes_allowed{cloud="aws"} 1'])
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
