import { expect, test } from 'vitest'
import { systemClock as clock } from '../../../controllers/runtime/process/clock.ts'
import { startGceMetadata } from './gce.ts'

const google = { 'Metadata-Flavor': 'Google' }
const preempted = '/computeMetadata/v1/instance/preempted'

async function started(takenBackAt?: () => number | undefined) {
  const server = await startGceMetadata({ clock, ...(takenBackAt && { takenBackAt }) })
  const call = (target: string, headers: Record<string, string> = google) => fetch(server.url + target, { headers })
  return { server, call, [Symbol.asyncDispose]: () => server.close() }
}

test.each<[string, string, Record<string, string>, number]>([
  ['without the header', preempted, {}, 403],
  ['that was forwarded', preempted, { ...google, 'X-Forwarded-For': '10.0.0.1' }, 403],
  ['of another key', '/computeMetadata/v1/instance/nothing', google, 404],
  ['of the old version', '/0.1/meta-data/preempted', google, 404],
])('a request %s is refused', async (_, target, headers, status) => {
  await using gce = await started()
  expect((await gce.call(target, headers)).status).toBe(status)
})

test('a value, its ETag and the flavor', async () => {
  await using gce = await started()
  const answer = await gce.call('/computeMetadata/v1/instance/maintenance-event')
  expect(await answer.text()).toBe('NONE')
  expect(answer.headers.get('metadata-flavor')).toBe('Google')
  expect(answer.headers.get('etag')).toMatch(/^[0-9a-f]{16}$/)
})

test('a call that waits is answered when the value is another, and at once where the ETag is old', async () => {
  const ends: number[] = []
  await using gce = await started(() => ends[0])
  const first = await gce.call(`${preempted}?wait_for_change=true&last_etag=0&timeout_sec=60`)
  expect(await first.text()).toBe('FALSE')
  const waiting = gce.call(`${preempted}?wait_for_change=true&last_etag=${first.headers.get('etag')}&timeout_sec=60`)
  ends.push(clock.now())
  expect(await (await waiting).text()).toBe('TRUE')
})

test('a call that waits is answered with the old value after its time', async () => {
  await using gce = await started()
  const answer = await gce.call(`${preempted}?wait_for_change=true&timeout_sec=0`)
  expect(await answer.text()).toBe('FALSE')
})
