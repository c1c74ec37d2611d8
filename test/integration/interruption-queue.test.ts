import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { readAttempt } from '../../api/attempt.ts'
import { findCondition } from '../../api/conditions.ts'
import { readInterruption } from '../../api/interruption.ts'
import { machines } from '../../api/kinds.ts'
import type { Machine } from '../../api/machine.ts'
import { eventually } from '../lab/eventually.ts'
import { scheduledChange, spotWarning, stateChange } from '../simulators/aws/queue/events.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

const queue = 'interruptions'
const account = '123456789012'
const origin = { account, region: 'us-east-1' }
const replicas = 4

let rig: RemediationRig

beforeAll(async () => {
  rig = await RemediationRig.start(inject('cluster'), { clouds: ['aws'] })
  const { manager, aws } = rig.lab
  aws.control.addQueue(queue)
  await manager.stop()
  const url = `${aws.url}/${account}/${queue}`
  // The spot requests of EC2 are asked for once in each interval, so the queue is quicker.
  const args = ['--poll-interval', '10s', '--namespace', rig.namespace, '--aws-interruption-queues', url]
  await manager.start({ args })
  await rig.policy('aws', { minHealthySeconds: 0 })
  await rig.apply('aws', replicas)
  await rig.running('aws', replicas)
}, 180_000)

afterAll(() => rig[Symbol.asyncDispose]())

const nameOf = ({ metadata }: Machine) => metadata.name
const control = () => rig.lab.aws.control
const send = (body: unknown) => control().sendToQueue(queue, typeof body === 'string' ? body : JSON.stringify(body))
const counts = () => control().queues()[0]

async function isEmpty(timeoutMs = 30_000): Promise<void> {
  const empty = { name: queue, visible: 0, hidden: 0 }
  await eventually('the queue is empty', () => expect(counts()).toEqual(empty), { timeoutMs })
}

/** The living Machines with the ids of their instances. */
async function living(): Promise<{ machine: Machine; id: string }[]> {
  const infra = new Map((await rig.infraMachines('aws')).map((one) => [one.metadata.name, one]))
  const alive = (await rig.machines('aws')).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  return alive.map((machine) => {
    const own = infra.get(machine.spec.infrastructureRef?.name ?? '')
    const reading = own && readAttempt(own)
    return { machine, id: (reading?.is === 'ours' ? reading.attempt.handle : undefined) ?? '' }
  })
}

/** The next test begins when the Machine is gone and all others run. */
async function isReplaced(machine: Machine): Promise<void> {
  await eventually('it is gone', async () => expect(await find(machine)).toBeUndefined())
  await rig.running('aws', replicas)
}

/** When all that an earlier test has replaced are there. */
async function first(): Promise<{ machine: Machine; id: string }> {
  await rig.running('aws', replicas)
  const [one] = await living()
  if (!one?.id) throw new Error('There is no Machine with an instance.')
  return one
}

async function find({ metadata: { namespace, name } }: Machine): Promise<Machine | undefined> {
  const all = await rig.list<Machine>(machines)
  return all.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
}

async function annotate({ metadata: { namespace, name } }: Machine, added: Record<string, string | null>) {
  const { client, ctx } = rig.lab
  await client.mergePatch(machines, { namespace, name }, { patch: { metadata: { annotations: added } } }, ctx)
}

const held = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/test'

it('a spot warning leads to the delete of its Machine within 2 s, and is acknowledged when the decision is written', async () => {
  const { machine, id } = await first()
  await annotate(machine, { [held]: '' })
  await isEmpty()
  const acknowledge = control().hold('DeleteMessageBatch', 'before')
  const begun = performance.now()
  control().interrupt(id, 120_000)
  await acknowledge.reached
  const decided = await find(machine)
  const reading = decided && readInterruption(decided)
  expect(reading).toMatchObject({ is: 'ours', interruption: { instance: id, kind: 'Spot', act: 'Delete' } })
  expect(counts()).toMatchObject({ hidden: 1 })
  acknowledge.release()
  const deleted = async () => expect((await find(machine))?.metadata.deletionTimestamp).toBeDefined()
  await eventually('the Machine is deleted', deleted, { everyMs: 20 })
  expect(performance.now() - begun).toBeLessThan(2_000)
  await isEmpty()
  await annotate(machine, { [held]: null })
  await rig.running('aws', replicas)
  await isReplaced(machine)
}, 120_000)

it('what is not of ours, not readable or not new touches nothing, and the queue is empty', async () => {
  const { id } = await first()
  const before = (await living()).map(({ machine }) => nameOf(machine)).toSorted()
  const now = rig.lab.ctx.clock.now()
  const creates = rig.creates('aws')
  const ends = () =>
    control()
      .requests()
      .filter(({ action }) => action === 'TerminateInstances').length
  const ended = ends()
  send('x'.repeat(1_048_576))
  send('{"source":')
  send('[]')
  send({ ...spotWarning(id, now, origin), account: '210987654321' })
  send(spotWarning('i-00000000000000bad', now, origin))
  send(spotWarning(id, now - 3_600_000, origin))
  send(spotWarning(id, now + 86_400_000, origin))
  send({ ...spotWarning(id, now, origin), detail: { 'instance-id': '../../etc' } })
  send({ ...spotWarning(id, now, origin), 'detail-type': 'EC2 Fleet Error' })
  send(stateChange(id, { state: 'stopping', at: now }, origin))
  await isEmpty()
  expect((await living()).map(({ machine }) => nameOf(machine)).toSorted()).toEqual(before)
  expect([rig.creates('aws'), ends()]).toEqual([creates, ended])
  for (const machine of await rig.machines('aws')) expect(readInterruption(machine)).toEqual({ is: 'none' })
}, 120_000)

it('duplicates, and messages out of order, make one decision', async () => {
  const { machine, id } = await first()
  await annotate(machine, { [held]: '' })
  const now = rig.lab.ctx.clock.now()
  const creates = rig.creates('aws')
  const maintenance = scheduledChange([id, 'i-00000000000000bad'], { at: now, startsAt: now + 864_000_000 }, origin)
  for (const event of [spotWarning(id, now, origin), maintenance, spotWarning(id, now - 1_000, origin)]) {
    send(event)
    send(event)
  }
  await isEmpty()
  const decided = await find(machine)
  expect(decided && readInterruption(decided)).toMatchObject({
    is: 'ours',
    interruption: { kind: 'Spot', source: 'Queue' },
  })
  expect(decided?.metadata.deletionTimestamp).toBeDefined()
  await annotate(machine, { [held]: null })
  await rig.running('aws', replicas)
  expect(rig.creates('aws') - creates).toBe(1)
}, 120_000)

it('the message of a paused Machine is not acknowledged; when the pause ends, it is acted upon', async () => {
  const { machine, id } = await first()
  await annotate(machine, { 'cluster.x-k8s.io/paused': '' })
  await eventually('core has seen that, and so has the manager', async () =>
    expect(findCondition((await find(machine))?.status?.conditions, 'Paused')?.status).toBe('True'),
  )
  send(spotWarning(id, rig.lab.ctx.clock.now(), origin))
  await eventually('the message is received', () => expect(counts()).toEqual({ name: queue, visible: 0, hidden: 1 }))
  // A message of a stranger that came later has its list, so this one would be gone, too.
  send(spotWarning('i-00000000000000bad', rig.lab.ctx.clock.now(), origin))
  await eventually('the other is acknowledged', () => expect(counts()).toEqual({ name: queue, visible: 0, hidden: 1 }))
  const paused = await find(machine)
  expect(paused && readInterruption(paused)).toEqual({ is: 'none' })
  await annotate(machine, { 'cluster.x-k8s.io/paused': null })
  // The message comes again after its visibility timeout of 30 s, at the latest.
  await eventually(
    'the Machine goes',
    async () => expect((await rig.machines('aws')).map(nameOf)).not.toContain(nameOf(machine)),
    { timeoutMs: 60_000 },
  )
  await isEmpty(60_000)
  await rig.running('aws', replicas)
}, 180_000)

it('after errors of SQS it goes on', async () => {
  const { machine, id } = await first()
  // The pauses double: these take fifteen seconds.
  control().failNext('ReceiveMessage', 4, { code: 'InternalError', message: 'SQS is away.' })
  const errors = () =>
    control()
      .requests()
      .filter(({ answer }) => answer?.code === 'InternalFailure').length
  const before = errors()
  send(stateChange(id, { state: 'running', at: rig.lab.ctx.clock.now() }, origin))
  await eventually('SQS has failed', () => expect(errors()).toBeGreaterThan(before))
  send(spotWarning(id, rig.lab.ctx.clock.now(), origin))
  await eventually('the Machine goes', async () =>
    expect((await rig.machines('aws')).map(nameOf)).not.toContain(nameOf(machine)),
  )
  expect(errors() - before).toBe(4)
  await isEmpty()
  await rig.running('aws', replicas)
}, 120_000)
