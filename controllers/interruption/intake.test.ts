import { describe, expect, it, vi } from 'vitest'
import { writeAttempt } from '../../api/attempt.ts'
import { rfc3339 } from '../../api/conditions.ts'
import { writeInterruption } from '../../api/interruption.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { Notice } from '../../api/notice.ts'
import type { NoticeResult } from '../../api/rules/interruption/announced.ts'
import type { Scope } from '../../api/scope.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import type { ShownList } from '../../providers/notices.ts'
import { HeldNotices, type Outcome } from './held-notices.ts'
import { instanceOf, noticeIntake, type IntakeDeps } from './intake.ts'
import { PendingNotices } from './pending-notices.ts'
import type { InterruptionSeries } from '../shared/interruption-series.ts'
import { RefusedNotices } from './refused-notices.ts'
import { ShownLists } from './withdrawal/shown-lists.ts'

const clock = new FakeClock()
const now = clock.now()
const scope: Scope = { cloud: 'aws', identity: 'default', account: '123456789012', region: 'us-east-1' }
const notice = (over: Partial<Notice> = {}): Notice => ({
  instance: 'i-1',
  kind: 'Spot',
  at: now,
  deadline: now + 120_000,
  source: 'Queue',
  ...over,
})

function infraMachine(over: Partial<Scope> = {}): InfraMachine {
  const attempt = {
    for: 'default/m1',
    owner: 'owner',
    n: 1,
    token: 'token',
    scope: { ...scope, ...over },
    startedAt: new Date(now - 600_000).toISOString(),
    handle: 'i-1',
  }
  const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'm1', uid: 'u', controller: true }
  return {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
    kind: 'AWSMachine',
    metadata: {
      name: 'm1',
      namespace: 'default',
      uid: 'u1',
      ownerReferences: [owner],
      annotations: writeAttempt(attempt),
    },
    spec: {},
  }
}

/** Says the outcome of each instance when it is known. */
function heldUntil(outcome: Promise<Outcome>): IntakeDeps['held'] {
  return {
    hold: async (_, ids, ended) => {
      const said = await outcome
      for (const id of ids) ended(id, said)
    },
  }
}

function rig(infra: readonly InfraMachine[] = [infraMachine()], machines: readonly Machine[] = [], held?: HeldNotices) {
  const all = [...infra]
  const results: NoticeResult[] = []
  const log = keptLog()
  const notices = new PendingNotices()
  const series: Pick<InterruptionSeries, 'notice'> = { notice: (...[, , result]) => void results.push(result) }
  const outcome = Promise.withResolvers<Outcome>()
  const listNow = vi.fn<IntakeDeps['listNow']>()
  const add = vi.fn<IntakeDeps['queue']['add']>()
  const intake = noticeIntake({
    notices,
    queue: { add },
    machines: { get: () => undefined, list: () => [...machines] },
    shown: new ShownLists(),
    infraMachines: new Map([['AWSMachine', { get: () => all[0] } as never]]),
    ofCloud: () => ({ by: (_, id) => all.filter((one) => instanceOf(one).includes(id)) }),
    listNow,
    held: held ?? heldUntil(outcome.promise),
    refused: new RefusedNotices(series, quietCtx({ clock, log })),
  })
  const heard = { done: false }
  const deliver = (...given: Notice[]) =>
    intake.fromQueue({ scope, notices: given, changed: [] }, quietCtx({ clock })).then(() => (heard.done = true))
  return {
    intake,
    deliver,
    notices,
    outcome,
    listNow,
    add,
    all,
    heard,
    results,
  }
}

describe('a message', () => {
  it('goes to the Machine of its instance, and is over when the decision is written', async () => {
    const { deliver, notices, heard, results, add } = rig()
    const given = notice()
    const over = deliver(given)
    await clock.advance(0)
    expect([notices.of('default/m1'), heard.done, results]).toEqual([given, false, []])
    expect(add).toHaveBeenCalledWith('default/m1', { priority: 100 })
    notices.decided('default/m1', given)
    await over
    expect(heard.done).toBe(true)
  })

  it('with two notices is over when both are', async () => {
    const { deliver, notices, heard, outcome } = rig()
    const given = notice()
    const over = deliver(given, notice({ instance: 'i-2' }))
    notices.decided('default/m1', given)
    await clock.advance(0)
    expect(heard.done).toBe(false)
    outcome.resolve('foreign')
    await over
  })

  it.each(['foreign', 'dropped'] as const)(
    'of an instance that turns out %s is over without an effect',
    async (said) => {
      const { deliver, outcome, results, notices } = rig([])
      const over = deliver(notice())
      outcome.resolve(said)
      await over
      expect([results, notices.of('default/m1')]).toEqual([[said], undefined])
    },
  )

  it('of many instances goes to a Machine that comes, before it is known of the others', async () => {
    const listing = { isForeign: () => true, isListed: () => true, hasAttempts: () => true }
    const held = new HeldNotices({ ...listing, listNow: () => {} })
    const { deliver, notices, heard, all, results } = rig([], [], held)
    const given = notice()
    const over = deliver(notice({ instance: 'i-2' }), given, notice({ instance: 'i-3' }))
    await clock.advance(0)
    all.push(infraMachine())
    held.arrived('aws', 'i-1')
    expect([notices.of('default/m1'), held.size]).toEqual([given, 2])
    held.listed('aws', scope.region)
    await clock.advance(0)
    expect([results, heard.done]).toEqual([['foreign', 'foreign'], false])
    notices.decided('default/m1', given)
    await over
    expect(heard.done).toBe(true)
  })

  it('of an instance whose machine comes later goes to that one', async () => {
    const { deliver, outcome, results, notices, all } = rig([])
    void deliver(notice())
    all.push(infraMachine())
    outcome.resolve('known')
    await clock.advance(0)
    expect([results, notices.of('default/m1')]).toEqual([[], notice()])
  })

  it.each<[string, Partial<Scope>]>([
    ['another account', { account: '210987654321' }],
    ['another region', { region: 'eu-west-1' }],
  ])('does not reach a machine in %s', async (_, over) => {
    const { deliver, outcome, results, notices } = rig([infraMachine(over)])
    const done = deliver(notice())
    outcome.resolve('foreign')
    await done
    expect([results, notices.of('default/m1')]).toEqual([['foreign'], undefined])
  })

  it('that is older than the attempt of its instance is stale', async () => {
    const { deliver, results, notices } = rig()
    await deliver(notice({ at: now - 660_001 }))
    expect([results, notices.of('default/m1')]).toEqual([['stale'], undefined])
    void deliver(notice({ at: now - 659_999 }))
    expect([results, notices.of('default/m1')?.at]).toEqual([['stale'], now - 659_999])
  })

  it('of a change has the region listed, if the instance is one of ours', async () => {
    const { intake, listNow } = rig()
    const ctx = quietCtx({ clock })
    await intake.fromQueue({ scope, notices: [], changed: ['i-2'] }, ctx)
    expect(listNow).not.toHaveBeenCalled()
    await intake.fromQueue({ scope, notices: [], changed: ['i-1'] }, ctx)
    expect(listNow).toHaveBeenCalledExactlyOnceWith('aws', 'us-east-1')
  })
})

it('a notice that a cloud shows of no machine here is foreign', () => {
  const { intake, results, notices } = rig([])
  intake.fromCloud(scope, notice({ source: 'SpotRequests' }))
  expect([results, notices.of('default/m1')]).toEqual([['foreign'], undefined])
})

it('notices without an effect are one line a minute, with their numbers', async () => {
  const log = keptLog()
  const own = new FakeClock()
  const refused = new RefusedNotices({ notice: () => {} }, quietCtx({ clock: own, log }))
  const add = (result: Parameters<typeof refused.add>[2]) =>
    refused.add('aws', { source: 'Queue', kind: 'None' }, result)
  for (let n = 0; n < 100; n++) add('malformed')
  add('foreign')
  expect(log.lines).toHaveLength(1)
  await own.advance(60_000)
  expect(log.lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { counts: { 'aws Queue malformed': 1 } },
    { counts: { 'aws Queue malformed': 99, 'aws Queue foreign': 1 } },
  ])
})

describe('a list of a source', () => {
  const listed = (over: Partial<ShownList> = {}): ShownList => ({
    source: 'SpotRequests',
    scope,
    begunAt: clock.now() + 1_000,
    up: new Set(['i-1']),
    noticed: new Set(),
    over: [],
    ...over,
  })
  const decided = (act: 'Tell' | 'Delete'): Machine => ({
    metadata: {
      namespace: 'default',
      name: 'm1',
      annotations: writeInterruption({
        for: 'default/m1',
        instance: 'i-1',
        kind: 'Spot',
        source: 'SpotRequests',
        at: rfc3339(clock.now()),
        act,
      }),
    },
    spec: {
      clusterName: 'c1',
      infrastructureRef: { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSMachine', name: 'm1' },
    },
  })

  it('that lacks a notice twice wakes its Machine, and no list before that', () => {
    const { intake, add } = rig([infraMachine()], [decided('Tell')])
    intake.fromCloudList(listed({ noticed: new Set(['i-1']) }))
    intake.fromCloudList(listed())
    expect(add).not.toHaveBeenCalled()
    intake.fromCloudList(listed())
    expect(add).toHaveBeenCalledExactlyOnceWith('default/m1')
  })

  it('takes back what is not decided yet, and what it cannot know of stays', () => {
    const { intake, notices } = rig()
    const give = (over: Partial<Notice>) => void notices.give('default/m1', notice(over))
    give({ source: 'SpotRequests' })
    intake.fromCloudList(listed({ noticed: new Set(['i-1']) }))
    expect(notices.of('default/m1')).toBeDefined()
    intake.fromCloudList(listed())
    expect(notices.of('default/m1')).toBeUndefined()
    give({ source: 'Queue' })
    intake.fromCloudList(listed())
    expect(notices.of('default/m1')).toMatchObject({ source: 'Queue' })
    give({ source: 'SpotRequests', instance: 'i-2' })
    intake.fromCloudList(listed())
    notices.decided('default/m1', notices.of('default/m1') as Notice)
    expect(notices.of('default/m1')).toMatchObject({ instance: 'i-2' })
  })
})
