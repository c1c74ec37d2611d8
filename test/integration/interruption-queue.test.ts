import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { readInterruption } from '../../api/interruption.ts'
import { eventually } from '../lab/eventually.ts'
import { reservationEnding, scheduledChange, spotWarning, stateChange } from '../simulators/aws/queue/events.ts'
import { origin, QueueRig } from './rigs/queue-rig.ts'

const dayMs = 86_400_000
/** No instance has it. */
const nobodys = 'i-00000000000000bad'

let rig: QueueRig
beforeAll(async () => {
  rig = await QueueRig.start(inject('cluster'))
  await rig.workers(4)
})
afterAll(() => rig[Symbol.asyncDispose]())

it('a spot warning leads to the delete of its Machine, and is acknowledged when the decision is written', async () => {
  const [{ machine, id }] = await rig.some()
  await rig.hold(machine)
  await rig.isEmpty()
  const acknowledge = rig.control.hold('DeleteMessageBatch', 'before')
  rig.control.interrupt(id, 120_000)
  await acknowledge.reached
  expect(await rig.decision(machine)).toMatchObject({ instance: id, kind: 'Spot', act: 'Delete' })
  expect(rig.counts()).toMatchObject({ hidden: 1 })
  acknowledge.release()
  const deleted = async () => expect((await rig.find(machine))?.metadata.deletionTimestamp).toBeDefined()
  await eventually('the Machine is deleted', deleted, { everyMs: 20 })
  await rig.isEmpty()
  await rig.released(machine)
})

it('what is not of ours, not readable or not new is counted and acknowledged, and touches nothing', async () => {
  const [{ id }] = await rig.some()
  const stranger = await rig.cloud('aws').strangers.byHand('of somebody else')
  const strange = () => rig.control.instances().find((one) => one.id === stranger)?.state
  await eventually('the instance of a stranger runs', () => expect(strange()).toBe('running'))
  await rig.isEmpty()
  const before = (await rig.living()).map(({ machine }) => machine.metadata.name).toSorted()
  const [creates, ends] = [rig.creates('aws'), rig.ends()]
  const noticed = await rig.noticed()
  const { now } = rig
  const warning = spotWarning(id, now, origin)
  const poison: readonly (readonly [what: string, body: unknown, counted: string])[] = [
    ['1 MiB of nothing', 'x'.repeat(1_048_576), 'None malformed'],
    ['JSON that breaks off', '{"source":', 'None malformed'],
    ['no object', '[]', 'None malformed'],
    ['no id of an instance', { ...warning, detail: { 'instance-id': '../../etc' } }, 'None malformed'],
    ['another event', { ...warning, 'detail-type': 'EC2 Fleet Error' }, 'None unknown'],
    ['another account', { ...warning, account: '210987654321' }, 'None foreign'],
    ['an instance of a stranger, which runs', spotWarning(stranger, now, origin), 'Spot foreign'],
    ['an instance that nobody knows', spotWarning(nobodys, now, origin), 'Spot foreign'],
    ['another region, where nobody lists', { ...warning, region: 'eu-west-1' }, 'Spot foreign'],
    ['older than the machine', spotWarning(id, now - 3_600_000, origin), 'Spot stale'],
    ['of tomorrow', spotWarning(id, now + dayMs, origin), 'None absurd'],
    ['a deadline in years', reservationEnding(id, { at: now, endsAt: now + 1_000 * dayMs }, origin), 'None absurd'],
  ]
  for (const [, body] of poison) rig.send(body)
  rig.send(stateChange(id, { state: 'stopping', at: now }, origin))
  await rig.isEmpty()
  const expected: Record<string, number> = {}
  for (const [, , counted] of poison) {
    const series = `Queue ${counted}`
    expected[series] = (expected[series] ?? noticed[series] ?? 0) + 1
  }
  expect(await rig.noticed()).toMatchObject(expected)
  expect((await rig.living()).map(({ machine }) => machine.metadata.name).toSorted()).toEqual(before)
  expect([rig.creates('aws'), rig.ends()]).toEqual([creates, ends])
  expect(strange()).toBe('running')
  for (const machine of await rig.machines('aws')) expect(readInterruption(machine)).toEqual({ is: 'none' })
})

it('duplicates, and messages out of order, make one decision', async () => {
  const [{ machine, id }] = await rig.some()
  await rig.hold(machine)
  const { now } = rig
  const creates = rig.creates('aws')
  const maintenance = scheduledChange([id, nobodys], { at: now, startsAt: now + 10 * dayMs }, origin)
  for (const event of [spotWarning(id, now, origin), maintenance, spotWarning(id, now - 1_000, origin)]) {
    rig.send(event)
    rig.send(event)
  }
  await rig.isEmpty()
  expect(await rig.decision(machine)).toMatchObject({ kind: 'Spot', source: 'Queue' })
  expect((await rig.find(machine))?.metadata.deletionTimestamp).toBeDefined()
  await rig.released(machine)
  expect(rig.creates('aws') - creates).toBe(1)
})

it('the visibility of a message runs out while its Machine is paused: it comes again, and when the pause ends, it is acted upon', async () => {
  const [{ machine, id }] = await rig.some()
  await rig.annotate(machine, { 'cluster.x-k8s.io/paused': '' })
  await eventually('core has seen that, and so has the manager', async () =>
    expect(findCondition((await rig.find(machine))?.status?.conditions, 'Paused')?.status).toBe('True'),
  )
  const creates = rig.creates('aws')
  const handedOut = rig.counts()?.handedOut ?? 0
  rig.send(spotWarning(id, rig.now, origin))
  await eventually('it is received', () => expect(rig.counts()).toMatchObject({ visible: 0, hidden: 1 }))
  // A message of a stranger that came later has its list, so this one would be gone, too.
  rig.send(spotWarning(nobodys, rig.now, origin))
  await eventually('the other is acknowledged', () => expect(rig.counts()).toMatchObject({ visible: 0, hidden: 1 }))
  await eventually('it comes again', () => expect(rig.counts()?.handedOut).toBe(handedOut + 3), { timeoutMs: 40_000 })
  expect(await rig.decision(machine)).toBeUndefined()
  expect(rig.counts()).toMatchObject({ visible: 0, hidden: 1 })
  await rig.annotate(machine, { 'cluster.x-k8s.io/paused': null })
  await rig.gone(machine)
  await rig.isEmpty()
  expect(rig.creates('aws') - creates).toBe(1)
})
