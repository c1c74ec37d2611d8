import { expect, test } from 'vitest'
import { Watched } from '../../../test/support/fakes/watched-source.ts'
import { ec2Source } from './ec2.ts'

const action = '/latest/meta-data/spot/instance-action'
const rebalance = '/latest/meta-data/events/recommendations/rebalance'
const maintenance = '/latest/meta-data/events/maintenance/scheduled'
const ok = (body: string) => ({ status: 200, headers: {}, body })
const missing = { status: 404, headers: {}, body: '' }

/** A service that gives out numbered tokens and refuses all but the last one. */
function service() {
  const items = new Map<string, string>([[maintenance, '[]']])
  let tokens = 0
  const watched = new Watched(
    (metadata) => ec2Source(metadata),
    ({ method, url, headers }) => {
      const { pathname } = new URL(url)
      if (method === 'PUT') return ok(`token-${++tokens}`)
      if (headers['X-aws-ec2-metadata-token'] !== `token-${tokens}`) return { ...missing, status: 401 }
      const body = items.get(pathname)
      return body === undefined ? missing : ok(body)
    },
  )
  return { items, watched, revoke: () => tokens++, tokens: () => tokens }
}

test('reads each item every 2 s with one token, and announces nothing where EC2 has nothing', async () => {
  const { watched, tokens } = service()
  await watched.during(10_000)
  expect(watched.said()).toEqual({})
  const reads = watched.calls.filter(({ method }) => method !== 'PUT').map(({ url }) => new URL(url).pathname)
  expect(reads.filter((path) => path === action)).toHaveLength(6)
  expect(reads).toHaveLength(18)
  expect(tokens()).toBe(1)
})

test.each([
  ['{"action":"terminate","time":"2026-01-01T00:02:00Z"}', 'terminate, not before 2026-01-01T00:02:00Z'],
  ['{"action":"stop","time":"2026-01-01T00:02:00Z"}', 'stop, not before 2026-01-01T00:02:00Z'],
  ['{"action":"terminate","time":"soon"}', 'terminate'],
  ['{"action":"hibernate"}', 'hibernate'],
])('an instance action %s ends the instance', async (body, words) => {
  const { items, watched } = service()
  items.set(action, body)
  await watched.during(1)
  expect(watched.said()).toEqual({
    Terminating: { reason: 'SpotInterruption', message: `EC2 announces for this instance: ${words}` },
  })
})

test.each(['', 'null', '[]', '"terminate"', '{}', '{"action":""}', '{"action":{}}', '<html>', '{"action":'])(
  'garbage %j as an instance action announces nothing, and takes nothing back',
  async (garbage) => {
    const { items, watched } = service()
    items.set(action, garbage)
    await watched.during(20_000)
    expect(watched.said()).toEqual({})
    items.set(action, '{"action":"terminate"}')
    await watched.during(5_000)
    items.set(action, garbage)
    await watched.during(20_000)
    expect(Object.keys(watched.said())).toEqual(['Terminating'])
  },
)

test('a recommendation, and the first of the active scheduled events', async () => {
  const { items, watched } = service()
  items.set(rebalance, '{"noticeTime":"2026-01-01T00:00:00Z"}')
  const event = (Code: string, NotBefore: string, State = 'active') => ({ Code, NotBefore, State })
  items.set(
    maintenance,
    JSON.stringify([
      event('system-reboot', '21 Jan 2026 09:00:43 GMT'),
      event('instance-stop', '20 Jan 2026 09:00:43 GMT'),
      event('instance-reboot', '19 Jan 2026 09:00:43 GMT', 'completed'),
      7,
    ]),
  )
  await watched.during(1)
  expect(watched.said()).toEqual({
    RebalanceRecommended: { reason: 'RebalanceRecommendation', message: 'EC2 recommends to replace this instance' },
    MaintenanceScheduled: {
      reason: 'ScheduledEvent',
      message: 'EC2 has scheduled instance-stop, not before 2026-01-20T09:00:43Z',
    },
  })
  items.set(maintenance, '[]')
  await watched.during(2_000)
  expect(Object.keys(watched.said())).toEqual(['RebalanceRecommended'])
})

test('a refused token is renewed at once, and only one is asked for', async () => {
  const { items, watched, revoke, tokens } = service()
  await watched.during(1)
  revoke()
  items.set(action, '{"action":"terminate"}')
  await watched.during(2_000)
  expect(Object.keys(watched.said())).toEqual(['Terminating'])
  expect(tokens()).toBe(3)
  expect(watched.log.lines).toEqual([])
})

test('a token is renewed before its end', async () => {
  const { watched, tokens } = service()
  await watched.during(4 * 60 * 60_000)
  expect(tokens()).toBe(2)
})

test('while the service is out of order it is asked more rarely, and one line tells it', async () => {
  const { items, watched } = service()
  watched.answer = () => {
    throw new Error('connect ECONNREFUSED')
  }
  await watched.during(60_000)
  expect(watched.calls.length).toBeLessThan(45)
  expect(watched.log.lines.filter((line) => line.includes('cannot be read'))).toHaveLength(3)
  watched.answer = undefined
  items.set(action, '{"action":"terminate"}')
  await watched.during(5_000)
  expect(Object.keys(watched.said())).toEqual(['Terminating'])
})
