import { describe, expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import type { Scope } from '../../api/scope.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import type { CallMade, CloudSettings } from '../cloud.ts'
import { heldBack, writesHeld } from '../errors.ts'
import { CallLine, longestWaitMs, refuseWhileHeld, sendCounted, turnsOf, type Needs } from './call-line.ts'

const scope: Scope = { cloud: 'aws', identity: 'default', region: 'r1' }
const turn = { bucket: 'calls', priority: 'launch' } as const
const errorOf = () => new CloudError('ambiguous', { code: 'Broken', message: 'It broke.' })
const request = { action: 'Make', isWrite: true, errorOf, send: () => Promise.resolve('made') }

function lineWith(settings: CloudSettings = {}) {
  const clock = new FakeClock()
  const calls: CallMade[] = []
  const line = new CallLine({
    buckets: { calls: { burst: 1, perSecond: 1 } },
    keyOf: ({ region }) => region,
    settings: { ...settings, onCall: (call) => calls.push(call) },
  })
  return { clock, calls, line, ctx: quietCtx({ clock }) }
}

describe('the line', () => {
  it('counts the wait for the turn once, for the first request of the turn', async () => {
    const { clock, calls, line, ctx } = lineWith()
    await line.run({ scope, turn }, (send) => send(request), ctx)
    const second = line.run({ scope, turn }, async (send) => [await send(request), await send(request)], ctx)
    await clock.advance(5_000)
    expect(await second).toEqual(['made', 'made'])
    expect(calls.map(({ waitedMs }) => waitedMs > 0)).toEqual([false, true, false])
  })

  it('sends no write while writes are held, and counts none; reads go on', async () => {
    const { calls, line, ctx } = lineWith({
      held: () => 'No lease.',
      grantedLimits: { calls: { burst: 9, perSecond: 9 } },
    })
    const sent: string[] = []
    const send = (isWrite: boolean) =>
      line.run(
        { scope, turn },
        (sendOne) => sendOne({ ...request, isWrite, send: () => Promise.resolve(sent.push(`write ${isWrite}`)) }),
        ctx,
      )
    await expect(send(true)).rejects.toMatchObject({ kind: 'transient', message: 'No lease.' })
    await send(false)
    expect(sent).toEqual(['write false'])
    expect(calls).toHaveLength(1)
  })

  it('asks a launch whether it still wants its turn, right before a write; reads go out', async () => {
    const { calls, line, ctx } = lineWith({ grantedLimits: { calls: { burst: 9, perSecond: 9 } } })
    const refuseIf = () => heldBack()
    const run = (isWrite: boolean) =>
      line.run({ scope, turn: { ...turn, refuseIf } }, (send) => send({ ...request, isWrite }), ctx)
    await expect(run(true)).rejects.toMatchObject({ kind: 'transient', code: 'CapacityBackoff' })
    expect(calls).toEqual([])
    expect(await run(false)).toBe('made')
  })

  it('has one line for all scopes of one key, and lets others pass', async () => {
    const { clock, line, ctx } = lineWith()
    const done: string[] = []
    const call = (region: string, account: string) =>
      line
        .run({ scope: { ...scope, region, account }, turn }, (send) => send(request), ctx)
        .then(() => done.push(`${region}/${account}`))
    const all = [call('r1', 'a'), call('r1', 'b'), call('r2', 'a')]
    await Promise.all([all[0], all[2]])
    expect(done.toSorted()).toEqual(['r1/a', 'r2/a'])
    await clock.advance(5_000)
    await Promise.all(all)
    expect(done.at(-1)).toBe('r1/b')
  })
})

const sent = { scope, action: 'RunInstances', waitedMs: 7 }
const full = new CloudError('capacity', { code: 'NoRoom', message: 'There is no room.' })

async function outcome(send: (clock: FakeClock) => Promise<string>) {
  const made: CallMade[] = []
  const clock = new FakeClock()
  const log = keptLog()
  const errorOf = (thrown: unknown) => (thrown === 'no room' ? full : (thrown as CloudError))
  const answer = await sendCounted(
    { sent, send: () => send(clock), errorOf },
    { onCall: (call) => made.push(call) },
    quietCtx({ clock, log }),
  ).catch((thrown: unknown) => thrown)
  const read = (kept: string[]) => kept.map((line) => JSON.parse(line) as unknown)
  return { answer, made, lines: read(log.lines), traces: read(log.traces) }
}

describe('a request', () => {
  it('is counted with how long it waited and how long the cloud took', async () => {
    const { answer, made } = await outcome(async (clock) => {
      await clock.advance(30)
      return 'i-1'
    })
    expect(answer).toBe('i-1')
    expect(made).toEqual([{ ...sent, code: 'OK', ms: 30 }])
  })

  it('is counted when it was refused, with the code of the table, and throws what the table says', async () => {
    const { answer, made } = await outcome(() => Promise.reject('no room'))
    expect(answer).toBe(full)
    expect(made).toMatchObject([{ action: 'RunInstances', code: 'NoRoom' }])
  })

  it('is a line of the trace, and a refusal one of the debug log', async () => {
    const done = await outcome(() => Promise.resolve('i-1'))
    expect(done.traces).toEqual([
      {
        level: 'trace',
        message: 'Asked the cloud',
        cloud: 'aws',
        region: 'r1',
        action: 'RunInstances',
        code: 'OK',
        ms: 0,
        waitedMs: 7,
      },
    ])
    expect(done.lines).toEqual([])
    const refused = await outcome(() => Promise.reject(full))
    expect(refused.lines).toMatchObject([{ level: 'debug', code: 'NoRoom', cause: 'There is no room.' }])
    expect(refused.traces).toMatchObject([{ code: 'NoRoom' }])
  })

  it('that we ourselves held back at the last moment was none', async () => {
    const held = writesHeld('The lease is late.')
    const { answer, made, lines, traces } = await outcome(() => Promise.reject(held))
    expect(answer).toBe(held)
    expect([made, lines, traces]).toEqual([[], [], []])
  })

  it('that finds nothing is no refusal', async () => {
    const nothing = new CloudError('missing', { code: 'NotFound', message: 'There is none.' })
    const { lines, traces } = await outcome(() => Promise.reject(nothing))
    expect([lines, traces.length]).toEqual([[], 1])
  })
})

it('nothing is sent while writes are held, and the error says why', () => {
  expect(() => refuseWhileHeld({ held: () => 'the lease is late' })).toThrow('the lease is late')
  expect(() => refuseWhileHeld({ held: () => undefined })).not.toThrow()
  expect(() => refuseWhileHeld({})).not.toThrow()
})

const buckets = { slow: { burst: 10, perSecond: 1 }, fast: { burst: 10, perSecond: 100 } }
type Action = 'make' | 'look' | 'makeMany'
const needs: Readonly<Record<Action, Needs<keyof typeof buckets>>> = {
  make: { bucket: 'slow', priority: 'launch' },
  look: { bucket: 'fast', priority: 'describe' },
  makeMany: { bucket: 'fast', also: { slow: 1 }, priority: 'launch' },
}
const turnFor = turnsOf({ buckets, needsOf: (action: Action) => needs[action] })

describe('a turn', () => {
  it('takes what the table says, for the one who asked', () => {
    expect(turnFor({ action: 'makeMany', key: 'token', whose: 'tenant' })).toEqual({
      bucket: 'fast',
      also: { slow: 1 },
      priority: 'launch',
      key: 'token',
      whose: 'tenant',
      maxWaitMs: longestWaitMs,
    })
  })

  it('waits for four turns of the slowest bucket, never longer than a worker may be held, or as its caller says', () => {
    expect(turnFor({ action: 'look' }).maxWaitMs).toBe(40)
    expect(turnFor({ action: 'make' }).maxWaitMs).toBe(longestWaitMs)
    expect(turnFor({ action: 'makeMany' }).maxWaitMs).toBe(longestWaitMs)
    expect(turnFor({ action: 'look', maxWaitMs: Infinity }).maxWaitMs).toBe(Infinity)
  })
})
