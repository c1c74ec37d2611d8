import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { findCondition, type Condition } from '../../api/conditions.ts'
import { interruptionPolicies, nodes, spotKind } from '../../api/kinds.ts'
import { interrupted } from '../../api/labels.ts'
import type { InfraCluster, InfraMachine, Node } from '../../api/machine.ts'
import { everyMilestone } from '../../api/rules/interruption/milestones.ts'
import { events } from '../../controllers/runtime/controller/events.ts'
import { eventually } from '../lab/eventually.ts'
import { freePort } from '../lab/processes/port.ts'
import { instanceOf } from './rigs/cloud-cluster.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

const queue = 'seen'
const account = '123456789012'
const replicas = 4
const patience = { timeoutMs: 60_000 }

let rig: RemediationRig
let port: number

beforeAll(async () => {
  rig = await RemediationRig.start(inject('cluster'), { clouds: ['aws'] })
  rig.lab.aws.control.addQueue(queue)
  port = await freePort()
  await rig.policy('aws', { minHealthySeconds: 0, onRebalance: 'Cordon' })
  await rig.apply('aws', replicas)
  await rig.running('aws', replicas)
})

// The figures of each test begin at zero.
beforeEach(() => restarted())
afterEach(async () => {
  control().clearFaults()
  // Nothing that one test has announced is announced to the next.
  control().deleteQueue(queue)
  control().addQueue(queue)
  await onNotice('DeleteMachine')
})
afterAll(() => rig[Symbol.asyncDispose]())

const control = () => rig.lab.aws.control

async function restarted(hasQueue = true): Promise<void> {
  await rig.lab.manager.stop()
  const args = ['--namespace', rig.namespace, '--metrics-bind-address', `127.0.0.1:${port}`]
  const queues = hasQueue ? ['--aws-interruption-queues', `${rig.lab.aws.url}/${account}/${queue}`] : []
  await rig.lab.manager.start({ args: ['--poll-interval', '1s', ...queues, ...args] })
}

/** The values of the series with these labels, added. */
async function metric(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const lines = page.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  const found = lines.filter((line) => wanted.every((one) => line.includes(one)))
  return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

interface Over {
  readonly Machine: string
  readonly source: string
  readonly seconds: Readonly<Record<string, number>>
}

/** The last lines of interruptions. */
function over(): Over[] {
  const lines = rig.lab.manager.logs().split('\n')
  return lines.filter((line) => line.includes('Interruption is over')).map((line) => JSON.parse(line) as Over)
}

async function eventsAbout(
  { metadata }: InfraMachine,
  reason: string,
): Promise<{ count?: number; message?: string }[]> {
  const { client, ctx } = rig.lab
  const selection = {
    namespace: metadata.namespace,
    fieldSelector: `reason=${reason},involvedObject.uid=${metadata.uid}`,
  }
  return [...(await client.list<{ count?: number; message?: string }>(events, selection, ctx)).items]
}

async function condition({ metadata: { name } }: InfraMachine, type: string): Promise<Condition | undefined> {
  const now = (await rig.infraMachines('aws')).find(({ metadata }) => metadata.name === name)
  return findCondition(now?.status?.conditions, type)
}

async function isTainted({ spec }: InfraMachine): Promise<boolean> {
  const { client, ctx } = rig.lab
  const { items } = await client.list<Node>(nodes, {}, ctx)
  const node = items.find(({ spec: { providerID } = {} }) => providerID === spec.providerID)
  return node?.spec?.taints?.some(({ key }) => key === interrupted.key) ?? false
}

async function some(count: number): Promise<InfraMachine[]> {
  return (await rig.running('aws', replicas))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .slice(0, count)
}

async function onNotice(act: string): Promise<void> {
  const { client, ctx } = rig.lab
  const ref = { namespace: rig.namespace, name: 'aws' }
  await client.mergePatch(interruptionPolicies, ref, { patch: { spec: { onNotice: act } } }, ctx)
}

/** How often the status of spot requests was asked for. */
function polls(): number {
  const all = control().requests()
  return all.filter(({ action }) => action === 'DescribeSpotInstanceRequests').length
}

const cluster = () => `${rig.namespace}/aws`
const spot = () => ({ cluster: cluster(), capacity_type: 'Spot', instance_type: 'm5.large' })

it('an interruption that was announced is counted, timed until its end, and told in one line', async () => {
  const [machine] = await some(1)
  const before = over().length
  control().interrupt(instanceOf(machine), 120_000)
  const [line] = await eventually(
    'its last line',
    () => {
      const fresh = over().slice(before)
      expect(fresh).toHaveLength(1)
      return fresh
    },
    patience,
  )
  expect(Object.keys(line?.seconds ?? {}).toSorted()).toEqual([...everyMilestone].toSorted())
  const { recorded, deleted, drained, off } = line?.seconds ?? {}
  expect(recorded, 'from the notice; all others count from the decision').toBeGreaterThanOrEqual(0)
  expect(
    [deleted, drained, off].toSorted((a = 0, b = 0) => a - b),
    'in this order',
  ).toEqual([deleted, drained, off])
  expect(off, 'the notice was two minutes').toBeLessThan(60)
  for (const until of everyMilestone) {
    expect([until, await metric('capspot_notice_seconds_count', { until })]).toEqual([until, 1])
    expect(await metric('capspot_notice_seconds_sum', { until })).toBeCloseTo(line?.seconds[until] ?? -1, 3)
  }
  const source = line?.source ?? ''
  const recordedOnce = { cloud: 'aws', source, kind: 'Spot', result: 'recorded' }
  expect(await metric('capspot_notices_total', recordedOnce)).toBe(1)
  expect(await metric('capspot_interruptions_total', { ...spot(), announced: 'true' })).toBe(1)
  expect(await metric('capspot_interruptions_total', { announced: 'false' })).toBe(0)
  expect(await metric('capspot_notice_queue_age_seconds_count', { cloud: 'aws' })).toBeGreaterThanOrEqual(1)
  // One that is not decided yet comes again, and is older then.
  expect(await metric('capspot_notice_queue_age_seconds_bucket', { cloud: 'aws', le: '120' })).toBe(
    await metric('capspot_notice_queue_age_seconds_count', { cloud: 'aws' }),
  )
})

it('an instance that is taken while no source works is an event, and is counted as unannounced', async () => {
  const [machine] = await some(1)
  if (!machine) throw new Error('There is no machine.')
  const denied = { code: 'UnauthorizedOperation', message: 'You are not authorized.' }
  control().failNext('DescribeSpotInstanceRequests', 1_000, denied)
  await eventually('the source fails', async () => {
    const [found] = await rig.list<InfraCluster>(spotKind('AWSCluster'))
    expect(findCondition(found?.status?.conditions, 'NoticeSources')).toMatchObject({ status: 'False' })
  })
  control().interrupt(instanceOf(machine), 0)
  await eventually('an event says so', async () =>
    expect(await eventsAbout(machine, 'TakenWithoutNotice')).toMatchObject([{ count: 1 }]),
  )
  expect(await metric('capspot_interruptions_total', { ...spot(), announced: 'false' })).toBe(1)
  expect(await metric('capspot_interruptions_total', { announced: 'true' })).toBe(0)
  await rig.running('aws', replicas, machine)
})

it('a host that fails its check is a condition and an event; what EC2 takes back leaves Node and machine as before', async () => {
  const [impaired, spared, marked] = await some(3)
  if (!impaired || !spared || !marked) throw new Error('There are too few machines.')
  const ids = (await rig.infraMachines('aws')).map(instanceOf).toSorted()
  control().impair(instanceOf(impaired), 'system', 150_000)
  control().scheduleEvent(instanceOf(spared), { afterMs: 86_400_000 })
  // EC2 is asked for these at the start of the manager, and then every five minutes.
  await restarted()
  await eventually('all is told', async () => {
    expect(await condition(impaired, 'SystemStatusCheck')).toMatchObject({ status: 'False', reason: 'Impaired' })
    expect(await condition(spared, 'InterruptionNotice')).toMatchObject({ status: 'True', reason: 'Maintenance' })
    expect(await isTainted(spared)).toBe(true)
  })
  expect(await eventsAbout(impaired, 'SystemStatusCheckFailed')).toMatchObject([{ count: 1 }])
  control().repair(instanceOf(impaired))
  control().endEvents(instanceOf(spared))
  await restarted()
  await eventually(
    'all is taken back',
    async () => {
      expect(await condition(impaired, 'SystemStatusCheck')).toMatchObject({ status: 'True', reason: 'Passed' })
      expect(await condition(spared, 'InterruptionNotice')).toMatchObject({ status: 'False', reason: 'NoNotice' })
      expect(await isTainted(spared)).toBe(false)
    },
    { timeoutMs: 90_000 },
  )
  expect(await metric('capspot_notices_total', { source: 'Status', result: 'withdrawn' })).toBe(1)
  expect((await rig.infraMachines('aws')).map(instanceOf).toSorted(), 'nothing was replaced').toEqual(ids)
})

it('a spot request that is as before takes back what was told, and a start of the manager does not', async () => {
  const [marked] = await some(1)
  if (!marked) throw new Error('There is no machine.')
  await onNotice('ConditionOnly')
  // A queue says it once, and then that counts.
  await restarted(false)
  const told = () => condition(marked, 'InterruptionNotice')
  control().notice(instanceOf(marked), { code: 'marked-for-termination', afterMs: 3_600_000 })
  await eventually('it is told', async () => expect(await told()).toMatchObject({ status: 'True', reason: 'Spot' }))
  await restarted(false)
  const before = polls()
  await eventually('it is shown again', () => expect(polls()).toBeGreaterThan(before + 5))
  expect(await told()).toMatchObject({ status: 'True' })
  control().takeBackNotice(instanceOf(marked))
  const isBack = async () => expect(await told()).toMatchObject({ status: 'False', reason: 'NoNotice' })
  await eventually('it is taken back', isBack, { timeoutMs: 90_000 })
})
