import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import type { CallMade } from '../cloud.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { writesHeld } from '../errors.ts'
import { refuseWhileHeld, sendCounted } from './send-counted.ts'

const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
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
        region: 'us-east-1',
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
