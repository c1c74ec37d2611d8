import { expect, test } from 'vitest'
import { Watched } from '../../../test/support/fakes/watched-source.ts'
import type { Answer } from '../request.ts'
import { gceSource } from './gce.ts'

const google = { 'metadata-flavor': 'Google' }

/** Answers when a value changes, as GCE does. */
function service() {
  const values = new Map([
    ['preempted', 'FALSE'],
    ['maintenance-event', 'NONE'],
  ])
  const waiting: { key: string; etag: string; done: (answer: Answer) => void }[] = []
  const answerOf = (key: string) => {
    const body = values.get(key) ?? ''
    return { status: 200, headers: { ...google, etag: `etag-${body}` }, body }
  }
  const watched = new Watched(gceSource, ({ url }) => {
    const { pathname, searchParams } = new URL(url)
    const key = pathname.replace('/computeMetadata/v1/instance/', '')
    const etag = searchParams.get('last_etag') ?? ''
    if (etag !== `etag-${values.get(key)}`) return answerOf(key)
    return new Promise((done) => waiting.push({ key, etag, done }))
  })
  const change = (key: string, value: string, instead?: Answer) => {
    values.set(key, value)
    for (const one of waiting.splice(0)) {
      if (one.etag === `etag-${values.get(one.key)}`) waiting.push(one)
      else one.done(instead ?? answerOf(one.key))
    }
  }
  return { watched, change }
}

test('waits for a change of each key, and asks nothing meanwhile', async () => {
  const { watched } = service()
  await watched.during(50_000)
  expect(watched.calls).toHaveLength(4)
  for (const { url, headers, timeoutMs } of watched.calls) {
    const query = new URL(url).searchParams
    expect(headers).toEqual({ 'Metadata-Flavor': 'Google' })
    expect(query.get('wait_for_change')).toBe('true')
    expect(timeoutMs).toBeGreaterThan(Number(query.get('timeout_sec')) * 1000)
  }
})

test('preempted: at once', async () => {
  const { watched, change } = service()
  await watched.during(50_000)
  change('preempted', 'TRUE')
  await watched.during(0)
  expect(watched.said()).toEqual({ Terminating: { reason: 'Preempted', message: 'GCE takes this machine back' } })
})

test('a maintenance that stops the machine, and not one that moves it as it runs', async () => {
  const { watched, change } = service()
  await watched.during(1_000)
  change('maintenance-event', 'MIGRATE_ON_HOST_MAINTENANCE')
  await watched.during(1_000)
  expect(watched.said()).toEqual({})
  change('maintenance-event', 'TERMINATE_ON_HOST_MAINTENANCE')
  await watched.during(1_000)
  expect(watched.said()).toMatchObject({ MaintenanceScheduled: { reason: 'HostMaintenance' } })
  change('maintenance-event', 'NONE')
  await watched.during(1_000)
  expect(watched.said()).toEqual({})
})

test.each<[string, Answer]>([
  ['a server that is not Google', { status: 200, headers: {}, body: 'FALSE' }],
  ['another value', { status: 200, headers: google, body: 'toString' }],
  ['an error', { status: 503, headers: google, body: 'FALSE' }],
])('%s takes nothing back, and is not asked all the time', async (_, answer) => {
  const { watched, change } = service()
  change('preempted', 'TRUE')
  await watched.during(1_000)
  const before = watched.calls.length
  watched.answer = () => answer
  change('preempted', 'FALSE', answer)
  await watched.during(60_000)
  expect(Object.keys(watched.said())).toEqual(['Terminating'])
  expect(watched.calls.length - before).toBeLessThan(40)
})
