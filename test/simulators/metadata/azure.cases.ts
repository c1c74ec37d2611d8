import { expect, test } from 'vitest'
import { FakeClock } from '../../support/fakes/fake-clock.ts'
import { startAzureMetadata } from './azure.ts'

const path = '/metadata/scheduledevents'
const metadata = { Metadata: 'true' }

async function started(takenBackAt?: () => number | undefined) {
  const clock = new FakeClock()
  const server = await startAzureMetadata({ clock, name: 'vm-1', ...(takenBackAt && { takenBackAt }) })
  const call = (target: string, headers: Record<string, string> = metadata, method = 'GET') =>
    fetch(server.url + target, { method, headers })
  return { clock, server, call, [Symbol.asyncDispose]: () => server.close() }
}

test.each<[string, string, Record<string, string>]>([
  ['without the header', '?api-version=2020-07-01', {}],
  ['with another value of it', '?api-version=2020-07-01', { Metadata: 'yes' }],
  ['that was forwarded', '?api-version=2020-07-01', { ...metadata, 'X-Forwarded-For': '10.0.0.1' }],
  ['without a version', '', metadata],
  ['of a version that is not served here', '?api-version=2024-07-09', metadata],
])('a request %s is refused', async (_, query, headers) => {
  await using azure = await started()
  const answer = await azure.call(path + query, headers)
  expect(answer.status).toBe(400)
  expect(((await answer.json()) as { error: string }).error).toMatch(/^Bad request\./)
})

test('an eviction is scheduled, then it has begun and has no time', async () => {
  await using azure = await started(() => Date.UTC(2026, 0, 1, 0, 0, 30))
  const events = async () => (await azure.call(`${path}?api-version=2020-07-01`)).json()
  expect(await events()).toMatchObject({
    Events: [
      {
        EventType: 'Preempt',
        EventStatus: 'Scheduled',
        Resources: ['vm-1'],
        NotBefore: 'Thu, 01 Jan 2026 00:00:30 GMT',
      },
    ],
  })
  await azure.clock.advance(30_000)
  expect(await events()).toMatchObject({ Events: [{ EventStatus: 'Started', NotBefore: '' }] })
})

test('a list that has changed has another number', async () => {
  await using azure = await started()
  const list = async () =>
    (await (await azure.call(`${path}?api-version=2020-07-01`)).json()) as { DocumentIncarnation: number }
  const before = await list()
  azure.server.control.schedule([{ EventType: 'Reboot', Resources: ['vm-2'] }])
  expect((await list()).DocumentIncarnation).toBeGreaterThan(before.DocumentIncarnation)
  expect(await list()).toMatchObject({ Events: [{ EventType: 'Reboot', Resources: ['vm-2'] }] })
})
