import { describe, expect, it, vi } from 'vitest'
import { useEc2 } from '../../../test/simulators/aws/use-ec2.ts'
import { spotWarning } from '../../../test/simulators/aws/queue/events.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { CallMade } from '../../cloud.ts'
import type { NoticeTaker } from '../../notices.ts'
import { noticeQueue } from './queue.ts'

const origin = { account: '123456789012', region: 'us-east-1' }
const warning = () => JSON.stringify(spotWarning('i-0123456789abcdef0', Date.UTC(2026, 0, 1), origin))

describe('on the wire', () => {
  const name = 'interruptions'
  const ec2 = useEc2('SQS')

  type Until = (calls: readonly CallMade[]) => void

  async function received(taker: Partial<NoticeTaker>, until: Until, url = 'https://sqs.us-east-1.amazonaws.com') {
    const stop = new AbortController()
    const calls: CallMade[] = []
    const settings = { onCall: (made: CallMade) => calls.push(made) }
    const queue = noticeQueue(`${url}/${origin.account}/${name}`, () => Promise.resolve(undefined), settings)
    const ctx = quietCtx({ clock: ec2().clock, signal: stop.signal })
    const whole = { take: () => Promise.resolve(), refused: () => {}, answers: () => {}, aged: () => {}, ...taker }
    const ended = queue.receive(whole, ctx)
    try {
      const passes = async () => {
        await ec2().clock.advance(1_000)
        until(calls)
      }
      await vi.waitFor(passes, { timeout: 60_000 })
    } finally {
      stop.abort(new Error('The test is over.'))
      await ended
    }
  }

  it('the variable of the SDK names the endpoint, a wrong MD5 hides no message, and calls are counted', async () => {
    ec2().simulator.control.addQueue(name)
    ec2().simulator.control.sendToQueue(name, warning())
    ec2().simulator.control.tamper(({ body }) => body.replace(/"MD5OfBody":"./, '"MD5OfBody":"x'))
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const take = vi.fn<NoticeTaker['take']>(() => Promise.resolve())
    const empty = { name, visible: 0, hidden: 0, handedOut: 1 }
    const aged = vi.fn<NoticeTaker['aged']>()
    // SQS has deleted the message before the answer is there.
    await received({ take, aged }, (calls) => {
      expect(ec2().simulator.control.queues()).toMatchObject([empty])
      const made = calls.map(({ action, code }) => `${action} ${code}`)
      expect(made).toEqual(expect.arrayContaining(['ReceiveMessage OK', 'DeleteMessageBatch OK']))
    })
    expect(aged.mock.calls, 'it came at once').toEqual([[expect.closeTo(0, -1)]])
    expect(take).toHaveBeenCalledOnce()
    expect(warned).not.toHaveBeenCalled()
    const [poll] = ec2().simulator.requests
    expect(poll?.params).toMatchObject({ MaxNumberOfMessages: 10, WaitTimeSeconds: 20, VisibilityTimeout: 30 })
  })

  it('a queue that is not there says so', async () => {
    const answers = vi.fn<NoticeTaker['answers']>()
    await received({ answers }, () => expect(answers).toHaveBeenCalledWith(expect.stringContaining('does not exist')))
  })

  it('so does a queue that we may not read', async () => {
    ec2().simulator.control.addQueue(name)
    const denied = { code: 'AccessDeniedException', message: 'Not authorized to perform: sqs:receivemessage.' }
    ec2().simulator.control.failNext('ReceiveMessage', 1, denied)
    const answers = vi.fn<NoticeTaker['answers']>()
    await received({ answers }, () => expect(answers).toHaveBeenCalledWith(expect.stringContaining('may not receive')))
  })
})
