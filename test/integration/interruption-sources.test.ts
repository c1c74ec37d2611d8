import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { eventually } from '../lab/eventually.ts'
import { rebalance, spotWarning } from '../simulators/aws/queue/events.ts'
import { origin, QueueRig } from './rigs/queue-rig.ts'

/** Pauses have grown to their most by the end of the long form. */
const errorsFor = process.env['CAPSPOT_LONG'] === undefined ? 15_000 : 120_000

let rig: QueueRig
beforeAll(async () => {
  rig = await QueueRig.start(inject('cluster'))
  await rig.workers(4)
})
afterAll(() => rig[Symbol.asyncDispose]())

it('two sources tell of one end: there is one decision and one replacement', async () => {
  const [{ machine, id }] = await rig.some()
  await rig.hold(machine)
  const creates = rig.creates('aws')
  // EC2 sends the message, and from now on it shows the same in the status of the spot request.
  rig.control.interrupt(id, 120_000)
  await rig.decided(machine, { kind: 'Spot', act: 'Delete', instance: id })
  const first = await rig.decision(machine)
  await eventually('both have told', async () => {
    const noticed = await rig.noticed()
    expect(noticed['Queue Spot recorded'] ?? noticed['Queue Spot known']).toBeGreaterThan(0)
    expect(noticed['SpotRequests Spot recorded'] ?? noticed['SpotRequests Spot known']).toBeGreaterThan(0)
  })
  expect(await rig.decision(machine)).toEqual(first)
  await rig.isEmpty()
  await rig.released(machine)
  expect(rig.creates('aws') - creates).toBe(1)
})

it('a notice before the id of the instance is in the attempt: it waits, and counts when the id is written', async () => {
  const [{ machine }] = await rig.some()
  const known = new Set(rig.control.instances().map(({ id }) => id))
  const creates = rig.creates('aws')
  const answer = rig.control.hold('RunInstances', 'after')
  await rig.delete(machine)
  await answer.reached
  const [fresh] = rig.control.instances().filter(({ id }) => !known.has(id))
  expect((await rig.living()).map(({ id }) => id)).not.toContain(fresh?.id)
  rig.send(spotWarning(fresh?.id ?? '', rig.now, origin))
  await eventually('it is received', () => expect(rig.counts()).toMatchObject({ visible: 0, hidden: 1 }))
  answer.release()
  const noticed = await eventually('its Machine is known', async () => {
    const found = (await rig.living()).find(({ id }) => id === fresh?.id)
    if (!found) throw new Error('not yet')
    return found.machine
  })
  // An instance that has not run yet counts as a failure of its offering.
  await rig.decided(noticed, { instance: fresh?.id ?? '', kind: 'Spot', source: 'Queue', act: 'Remediate' })
  await rig.isEmpty()
  await rig.gone(machine)
  expect(rig.creates('aws') - creates).toBe(1)
  await rig.delete(noticed)
  await rig.gone(noticed)
})

it('a storm of rebalance recommendations only tells of them, and a spot warning among them ends its Machine', async () => {
  const [doomed, ...others] = await rig.some()
  const [creates, ends] = [rig.creates('aws'), rig.ends()]
  for (let n = 0; n < 50; n++) {
    for (const { id } of [doomed, ...others]) rig.send(rebalance(id, rig.now, origin))
    if (n === 25) rig.send(spotWarning(doomed.id, rig.now, origin))
  }
  await rig.gone(doomed.machine)
  await rig.isEmpty()
  for (const { machine } of others) {
    await rig.decided(machine, { kind: 'Rebalance', act: 'Tell' })
    expect((await rig.find(machine))?.metadata.deletionTimestamp).toBeUndefined()
  }
  expect([rig.creates('aws') - creates, rig.ends() - ends]).toEqual([1, 1])
})

it(`EC2 and SQS answer with errors for ${errorsFor / 1_000} s: nothing is lost, and afterwards both go on`, async () => {
  const [queued, shown] = await rig.some()
  const away = { code: 'InternalError', message: 'Not now.' }
  rig.control.failNext('*', 1_000_000, away)
  const refused = (action: string) =>
    rig.control.requests().filter(({ action: one, answer }) => one === action && answer?.status === 500).length
  const [bought, ends] = [rig.cloud('aws').bought().length, rig.ends()]
  // A recommendation of an earlier test may stand there.
  const decisions = () => Promise.all([queued, shown].map(({ machine }) => rig.decision(machine)))
  const before = await decisions()
  // Receives that wait since before the errors would still be answered. After a storm there are several.
  const allFail = () => {
    expect(rig.counts()).toMatchObject({ waiting: 0 })
    expect(refused('ReceiveMessage')).toBeGreaterThan(0)
  }
  await eventually('SQS fails', allFail, { timeoutMs: 30_000 })
  rig.send(spotWarning(queued.id, rig.now, origin))
  rig.control.interrupt(shown.id, 2 * errorsFor + 120_000)
  await sleep(errorsFor)
  expect(refused('DescribeInstances')).toBeGreaterThan(0)
  expect(await decisions(), 'nothing new is known').toEqual(before)
  expect([rig.cloud('aws').bought().length, rig.ends()]).toEqual([bought, ends])
  rig.control.clearFaults()
  await Promise.all([queued, shown].map(({ machine }) => rig.gone(machine)))
  await rig.isEmpty(60_000)
  expect(rig.cloud('aws').bought().length - bought).toBe(2)
})
