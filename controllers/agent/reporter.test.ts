import { expect, test } from 'vitest'
import type { Condition } from '../../api/conditions.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { Refused } from './api-server.ts'
import { Reporter } from './reporter.ts'

const start = Date.UTC(2026, 0, 1)
const notice = { reason: 'Test', message: 'It ends, not before 2026-01-01T00:02:00Z' }
const none = { status: 'False', reason: 'NothingAnnounced', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }
const quiet = ['Terminating', 'RebalanceRecommended', 'MaintenanceScheduled', 'NodeShutdown'].map((type) =>
  Object.assign({ type }, none),
)

function reporting(onNode: readonly Condition[] = []) {
  const clock = new FakeClock(start)
  const stop = new AbortController()
  const log = keptLog()
  const ctx = quietCtx({ clock, signal: stop.signal, log })
  const writes: (readonly Condition[])[] = []
  const state: { failure: Error | undefined } = { failure: undefined }
  const reporter = new Reporter(async (conditions) => {
    writes.push(conditions)
    if (state.failure) throw state.failure
  })
  reporter.begin(onNode, clock.now())
  const running = reporter.run(ctx).catch(() => undefined)
  const truths = () => writes.at(-1)?.flatMap(({ type, status }) => (status === 'True' ? [type] : []))
  return { reporter, clock, ctx, log, state, writes, truths, end: () => (stop.abort(new Error('over')), running) }
}

test('begins with all four, none of them True', async () => {
  const { clock, writes, end } = reporting()
  await clock.advance(0)
  expect(writes).toEqual([quiet])
  await end()
})

test('writes nothing more while nothing changes, but for one look in five minutes', async () => {
  const { reporter, clock, ctx, writes, end } = reporting()
  await clock.advance(60_000)
  reporter.say('Terminating', undefined, ctx)
  await clock.advance(200_000)
  expect(writes).toHaveLength(1)
  await clock.advance(60_000)
  expect(writes).toEqual([quiet, quiet])
  await end()
})

test('writes a notice at once, with its time, and takes it back', async () => {
  const { reporter, clock, ctx, writes, end } = reporting()
  await clock.advance(60_000)
  reporter.say('Terminating', notice, ctx)
  await clock.advance(0)
  const [said] = writes.at(-1) ?? []
  expect(said).toEqual({ type: 'Terminating', status: 'True', ...notice, lastTransitionTime: '2026-01-01T00:01:00Z' })
  reporter.say('Terminating', undefined, ctx)
  await clock.advance(0)
  expect(writes.at(-1)?.[0]).toMatchObject({ status: 'False', lastTransitionTime: '2026-01-01T00:01:00Z' })
  expect(writes).toHaveLength(3)
  await end()
})

test('what an earlier process announced stands until the metadata say otherwise; its shutdown is over', async () => {
  const lastTransitionTime = '2025-12-31T23:59:00Z'
  const earlier = ['Terminating', 'NodeShutdown'].map((type): Condition =>
    Object.assign({ type, status: 'True', lastTransitionTime } as const, notice),
  )
  const kubelets: Condition = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: '', lastTransitionTime }
  const { reporter, clock, ctx, writes, truths, end } = reporting([kubelets, ...earlier])
  await clock.advance(0)
  expect(truths()).toEqual(['Terminating'])
  expect(writes[0]?.find(({ type }) => type === 'Terminating')).toEqual(earlier[0])
  expect(writes[0]).toHaveLength(4)
  reporter.say('Terminating', undefined, ctx)
  await clock.advance(0)
  expect(truths()).toEqual([])
  await end()
})

/** A notice comes while the API server is away, for 20 s by now. */
async function outage() {
  const rig = reporting()
  const { reporter, clock, ctx, state } = rig
  await clock.advance(0)
  state.failure = new Error('connect ECONNREFUSED')
  reporter.say('Terminating', notice, ctx)
  let isWritten = false
  const written = reporter.written(ctx.signal).then(() => (isWritten = true))
  await clock.advance(20_000)
  return { ...rig, written, isWritten: () => isWritten }
}

test('tries again until it is written: soon after an outage, with one line', async () => {
  const { clock, log, state, writes, written, isWritten, truths, end } = await outage()
  expect(isWritten()).toBe(false)
  const tries = writes.length
  expect(tries).toBeGreaterThan(6)
  expect(tries).toBeLessThan(25)
  state.failure = undefined
  await clock.advance(3_000)
  await written
  expect(writes).toHaveLength(tries + 1)
  expect(truths()).toEqual(['Terminating'])
  expect(log.lines.filter((line) => line.includes('could not be written'))).toHaveLength(1)
  await end()
})

test('an API server that starts refuses for a moment: the notice of the outage stands there soon after', async () => {
  const { clock, state, written, isWritten, end } = await outage()
  state.failure = new Refused('The write', 403)
  await clock.advance(3_000)
  expect(isWritten()).toBe(false)
  state.failure = undefined
  await clock.advance(4_000)
  expect(isWritten()).toBe(true)
  await written
  await end()
})

test('a refusal is tried again once a minute, and at once when there is more to say', async () => {
  const { reporter, clock, ctx, state, writes, end } = reporting()
  state.failure = new Refused('The write', 403)
  await clock.advance(10 * 60_000)
  expect(writes.length).toBeLessThan(32)
  const before = writes.length
  reporter.say('Terminating', notice, ctx)
  await clock.advance(0)
  expect(writes.length).toBe(before + 1)
  await end()
})

test('what is said during a write is written next', async () => {
  const clock = new FakeClock(start)
  const stop = new AbortController()
  const ctx = quietCtx({ clock, signal: stop.signal })
  const writes: (string | undefined)[] = []
  const reporter = new Reporter(async (conditions, within) => {
    writes.push(conditions[0]?.status)
    await clock.sleep(1_000, within.signal)
  })
  reporter.begin([], start)
  const running = reporter.run(ctx).catch(() => undefined)
  await clock.advance(500)
  reporter.say('Terminating', notice, ctx)
  await clock.advance(2_000)
  expect(writes).toEqual(['False', 'True'])
  await reporter.written(ctx.signal)
  stop.abort(new Error('over'))
  await running
  expect(clock.pending).toBe(0)
})
