import { expect, it } from 'vitest'
import { writeAttempt } from '../../api/attempt.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { CloudName } from '../../api/scope.ts'
import type { Cloud } from '../../providers/cloud.ts'
import type { NoticeTaker } from '../../providers/notices.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import type { Change } from '../runtime/cache/cache.ts'
import { NoticeQueues } from './notice-queues.ts'
import { RefusedNotices } from './refused-notices.ts'

const first = 'https://sqs.us-east-1.amazonaws.com/123456789012/a'
const second = 'http://127.0.0.1:9324/123456789012/b'

/** Two queues, of which the test has the takers. */
async function rig() {
  const stop = new AbortController()
  const ctx = quietCtx({ signal: stop.signal })
  const takers = new Map<string, NoticeTaker>()
  const counted: unknown[] = []
  const ages: unknown[] = []
  const listeners = new Set<(change: Change<InfraMachine>) => void>()
  const arrived: unknown[] = []
  const noticeQueue: Cloud['noticeQueue'] = (url) => ({
    region: url.includes('us-east-1') ? 'us-east-1' : undefined,
    receive(taker, { signal }) {
      takers.set(url, taker)
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    },
  })
  const queues = new NoticeQueues({
    queues: [first, second].map((url) => ({ cloud: 'aws', url })),
    cloud: () => Promise.resolve({ noticeQueue } as unknown as Cloud),
    intake: { fromQueue: () => Promise.resolve() },
    series: { queueAge: (...one) => void ages.push(one) },
    refused: new RefusedNotices({ notice: (...one) => void counted.push(one) }, ctx),
    held: { arrived: (...one) => void arrived.push(one) },
    ofCloud: () => ({
      onChange(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    }),
  })
  const ended = queues.run(ctx)
  await Promise.resolve()
  await Promise.resolve()
  return { queues, takers, counted, ages, listeners, arrived, stop, ended }
}

it('tells of each queue of a region whether it answers, once that is known', async () => {
  const { queues, takers, stop, ended } = await rig()
  const said = (cloud: CloudName, region: string) =>
    queues.sources({ cluster: 'default/c1', scope: { cloud, identity: 'default', region } })
  expect(said('aws', 'us-east-1')).toEqual([])
  takers.get(first)?.answers(undefined)
  takers.get(second)?.answers('The queue does not exist.')
  const one = { source: `Queue ${first}`, works: true, message: 'It answers.' }
  const other = { source: `Queue ${second}`, works: false, message: 'The queue does not exist.' }
  expect(said('aws', 'us-east-1')).toEqual([one, other])
  expect(said('aws', 'eu-west-1'), 'its URL names no region').toEqual([other])
  expect(said('gcp', 'us-east-1')).toEqual([])
  stop.abort()
  await ended
})

it('counts what was refused', async () => {
  const { takers, counted, ages, stop, ended } = await rig()
  takers.get(first)?.refused('malformed')
  takers.get(first)?.aged(0.5)
  takers.get(second)?.aged(7)
  expect(ages).toEqual([
    ['aws', 'us-east-1', 0.5],
    ['aws', '', 7],
  ])
  expect(counted).toEqual([['aws', { source: 'Queue', kind: 'None' }, 'malformed']])
  stop.abort()
  await ended
})

it('tells those that wait for an instance when its machine has come, until it ends', async () => {
  const { listeners, arrived, stop, ended } = await rig()
  expect(listeners.size).toBe(1)
  const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
  const startedAt = '2026-01-01T00:00:00Z'
  const attempt = { for: 'default/m', owner: 'o', n: 1, token: 't', scope, startedAt }
  const machine = (annotations: Record<string, string>) =>
    ({ metadata: { namespace: 'default', name: 'm', annotations } }) as unknown as InfraMachine
  for (const listener of listeners) {
    listener({ key: 'default/m', after: machine(writeAttempt(attempt)) })
    listener({ key: 'default/m', after: machine(writeAttempt({ ...attempt, handle: 'i-1' })) })
    listener({ key: 'default/m', before: machine({}) })
  }
  expect(arrived).toEqual([['aws', 'i-1']])
  stop.abort()
  await ended
  expect(listeners.size).toBe(0)
})
