import type { Message } from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { spotWarning } from '../../../test/simulators/aws/queue/events.ts'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { Delivery, NoticeTaker, Refused } from '../../notices.ts'
import { Receiver } from './queue.ts'

const origin = { account: '123456789012', region: 'us-east-1' }
const id = 'i-0123456789abcdef0'

/** A queue whose receives the test answers one by one. */
function rig({ own }: { own: string | undefined } = { own: origin.account }) {
  const clock = new FakeClock()
  const log = keptLog()
  const stop = new AbortController()
  const ctx = quietCtx({ clock, log, signal: stop.signal })
  const asked: { most: number; waitSeconds: number; answer: PromiseWithResolvers<Message[]> }[] = []
  const deleted: string[][] = []
  const taken: { delivery: Delivery; done: PromiseWithResolvers<void> }[] = []
  const refused: Refused[] = []
  const ages: number[] = []
  const states: (string | undefined)[] = []
  const taker: NoticeTaker = {
    take(delivery) {
      const done = Promise.withResolvers<void>()
      taken.push({ delivery, done })
      return done.promise
    },
    refused: (result) => void refused.push(result),
    aged: (seconds) => void ages.push(seconds),
    answers: (why) => void states.push(why),
  }
  const sqs = {
    region: () => Promise.resolve('us-east-1'),
    receive({ most, waitSeconds }: { most: number; waitSeconds: number }) {
      const answer = Promise.withResolvers<Message[]>()
      stop.signal.addEventListener('abort', () =>
        answer.reject(new CloudError('ambiguous', { code: 'x', message: '' })),
      )
      asked.push({ most, waitSeconds, answer })
      return answer.promise
    },
    delete(receipts: readonly string[]) {
      deleted.push([...receipts])
      return Promise.resolve([])
    },
  }
  const receiver = new Receiver({ url: 'https://q', sqs, taker, ownAccount: () => Promise.resolve(own) }, ctx)
  const ended = receiver.run()
  let receipts = 0
  const messages = (count: number, body: string = warning()) =>
    Array.from({ length: count }, (): Message => ({ Body: body, ReceiptHandle: `r${++receipts}` }))
  const open = () => asked.filter(({ answer }) => !settled.has(answer))
  const settled = new Set<PromiseWithResolvers<Message[]>>()
  const answer = async (found: Message[] | Error) => {
    await clock.advance(0)
    const one = open()[0]?.answer
    if (!one) throw new Error('Nobody receives.')
    settled.add(one)
    if (found instanceof Error) one.reject(found)
    else one.resolve(found)
    await clock.advance(0)
  }
  const end = async () => {
    stop.abort(new Error('The test is over.'))
    await ended
  }
  return { clock, log, asked, open, answer, deleted, taken, refused, ages, states, messages, end, ended }
}

const warning = (over: object = {}) => JSON.stringify({ ...spotWarning(id, Date.UTC(2026, 0, 1), origin), ...over })

describe('a message', () => {
  it('has its age when it is received, by the time at which SQS says that it was sent', async () => {
    const { answer, messages, ages, clock, end } = rig()
    const sent = (SentTimestamp: string | undefined) =>
      messages(1).map((message) => ({ ...message, Attributes: SentTimestamp ? { SentTimestamp } : {} }))
    const now = clock.now()
    await answer([
      ...sent(String(now - 1_500)),
      ...sent(String(now - 61_000)),
      // The clock of SQS may be ahead.
      ...sent(String(now + 2_000)),
      ...sent(undefined),
      ...sent('soon'),
      ...messages(1),
    ])
    expect(ages).toEqual([1.5, 61, 0])
    await end()
  })

  it('is deleted when it was taken, and not before', async () => {
    const { answer, messages, taken, deleted, clock, end } = rig()
    await answer(messages(2))
    await clock.advance(1_000)
    expect(taken[0]?.delivery).toEqual({
      scope: { cloud: 'aws', identity: 'default', ...origin },
      notices: [
        { instance: id, kind: 'Spot', at: clock.now() - 1_000, deadline: clock.now() + 119_000, source: 'Queue' },
      ],
      changed: [],
    })
    expect(deleted).toEqual([])
    taken[1]?.done.resolve()
    await clock.advance(50)
    expect(deleted).toEqual([['r2']])
    await end()
  })

  it('that could not be taken, or not in time, is left: it comes again', async () => {
    const { answer, messages, taken, deleted, clock, end } = rig()
    await answer(messages(2))
    taken[0]?.done.reject(new Error('No.'))
    await clock.advance(30_000)
    taken[1]?.done.resolve()
    await clock.advance(1_000)
    expect(deleted).toEqual([])
    await end()
    expect(clock.pending).toBe(0)
  })

  it.each<[Refused, string]>([
    ['malformed', '{'],
    ['unknown', warning({ source: 'aws.s3' })],
    ['absurd', warning({ time: '2030-01-01T00:00:00Z' })],
    ['foreign', warning({ account: '210987654321' })],
  ])('that is %s is counted and deleted, and nobody takes it', async (result, body) => {
    const { answer, messages, taken, deleted, refused, clock, end } = rig()
    await answer(messages(1, body))
    await clock.advance(50)
    expect([taken, refused, deleted]).toEqual([[], [result], [['r1']]])
    await end()
  })

  it('of any account is taken while the account of the credentials is not known', async () => {
    const { answer, messages, taken, end } = rig({ own: undefined })
    await answer(messages(1, warning({ account: '210987654321' })))
    expect(taken.map(({ delivery }) => delivery.scope.account)).toEqual(['210987654321'])
    await end()
  })

  it('is deleted in batches of ten', async () => {
    const { answer, messages, deleted, clock, end } = rig()
    await answer(messages(10, '{'))
    await answer(messages(3, '{'))
    await clock.advance(50)
    expect(deleted.map(({ length }) => length)).toEqual([10, 3])
    await end()
  })
})

describe('receivers', () => {
  it('one polls for long; others join it while many messages come, up to eight, and leave when none come', async () => {
    const { answer, messages, open, end } = rig()
    await answer(messages(4, '{'))
    expect(open()).toHaveLength(1)
    for (let round = 0; round < 20; round++) await answer(messages(10, '{'))
    expect(
      open()
        .map(({ waitSeconds }) => waitSeconds)
        .toSorted((a, b) => a - b),
    ).toEqual([0, 0, 0, 0, 0, 0, 0, 20])
    while (open().length > 1) await answer([])
    expect(open().map(({ waitSeconds }) => waitSeconds)).toEqual([20])
    await end()
  })

  it('ask for one message after a large answer, and for twice as many after each other one', async () => {
    const { answer, messages, asked, end } = rig()
    await answer(messages(4))
    await answer(messages(1, 'x'.repeat(262_145)))
    for (let round = 0; round < 5; round++) await answer(messages(1))
    expect(asked.map(({ most }) => most)).toEqual([10, 10, 1, 2, 4, 8, 10, 10])
    await end()
  })

  it('do not become more by large answers', async () => {
    const { answer, messages, open, end } = rig()
    await answer(messages(10, 'x'.repeat(26_215)))
    expect(open()).toHaveLength(1)
    await answer(messages(10, 'x'.repeat(26_214)))
    expect(open()).toHaveLength(2)
    await end()
  })

  it('end with the signal', async () => {
    const { answer, messages, clock, end } = rig()
    await answer(messages(10))
    await end()
    expect(clock.pending).toBe(0)
  })
})

describe('a failing queue', () => {
  const failure = (kind: 'transient' | 'missing' | 'denied') => new CloudError(kind, { code: 'Code', message: 'Why.' })

  it('is asked again after pauses that double, and at once after it has answered', async () => {
    const { answer, asked, clock, states, log, end } = rig()
    const pauses: number[] = []
    for (const _ of [1, 2, 3, 4, 5, 6]) {
      await answer(failure('transient'))
      const before = [asked.length, clock.now()] as const
      while (asked.length === before[0]) await clock.advance(500)
      pauses.push(clock.now() - before[1])
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
    expect(states.at(-1)).toBe('The queue does not answer: Code: Why.')
    await answer([])
    expect(states.at(-1)).toBeUndefined()
    expect(asked).toHaveLength(8)
    expect(log.lines.filter((line) => line.includes('warn'))).toHaveLength(1)
    await end()
  })

  it.each([
    ['missing', 'The queue does not exist, or its URL names another account: Code.'],
    ['denied', 'The manager may not receive from the queue: Code: Why.'],
  ] as const)('that is %s is asked once a minute', async (kind, why) => {
    const { answer, asked, clock, states, end } = rig()
    await answer(failure(kind))
    expect(states).toEqual([why])
    await clock.advance(59_999)
    expect(asked).toHaveLength(1)
    await clock.advance(1)
    expect(asked).toHaveLength(2)
    await end()
  })
})
