import { expect, test } from 'vitest'
import { FakeClock } from '../../support/fakes/fake-clock.ts'
import { startEc2Metadata } from './ec2.ts'

const ttl = 'X-aws-ec2-metadata-token-ttl-seconds'

async function started(takenBackAt?: () => number | undefined) {
  const clock = new FakeClock()
  const server = await startEc2Metadata({ clock, ...(takenBackAt && { takenBackAt }) })
  const call = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${server.url}/latest/${path}`, { method, headers })
  const token = async (seconds = '60') => (await call('api/token', { [ttl]: seconds }, 'PUT')).text()
  const get = async (path: string) => {
    const answer = await call(`meta-data/${path}`, { 'X-aws-ec2-metadata-token': await token() })
    return answer.status === 200 ? answer.text() : answer.status
  }
  return { clock, server, call, token, get, [Symbol.asyncDispose]: () => server.close() }
}

test('a read without a token, with a wrong one or with an old one is refused', async () => {
  await using ec2 = await started()
  const read = async (token: string) =>
    (await ec2.call('meta-data/events/maintenance/scheduled', { 'X-aws-ec2-metadata-token': token })).status
  expect((await ec2.call('meta-data/events/maintenance/scheduled')).status).toBe(401)
  expect(await read('AQAAwrong')).toBe(401)
  const token = await ec2.token('60')
  expect(await read(token)).toBe(200)
  await ec2.clock.advance(60_000)
  expect(await read(token)).toBe(401)
  const other = await ec2.token()
  ec2.server.control.revokeTokens()
  expect(await read(other)).toBe(401)
})

test.each(['', '0', '21601', 'long'])('no token is given for %j seconds', async (seconds) => {
  await using ec2 = await started()
  expect((await ec2.call('api/token', seconds ? { [ttl]: seconds } : {}, 'PUT')).status).toBe(400)
})

test('a forwarded request is refused', async () => {
  await using ec2 = await started()
  expect((await ec2.call('api/token', { [ttl]: '60', 'X-Forwarded-For': '10.0.0.1' }, 'PUT')).status).toBe(403)
})

test('what is not announced is not there, and the list of maintenance is empty', async () => {
  await using ec2 = await started()
  expect(await ec2.get('spot/instance-action')).toBe(404)
  expect(await ec2.get('events/recommendations/rebalance')).toBe(404)
  expect(await ec2.get('events/maintenance/scheduled')).toBe('[]')
  expect(await ec2.get('nothing')).toBe(404)
})

test('what is announced, as EC2 writes it', async () => {
  await using ec2 = await started(() => Date.UTC(2026, 0, 1, 0, 2))
  expect(await ec2.get('spot/instance-action')).toBe('{"action":"terminate","time":"2026-01-01T00:02:00Z"}')
  ec2.server.control.recommendRebalance()
  expect(await ec2.get('events/recommendations/rebalance')).toBe('{"noticeTime":"2026-01-01T00:00:00Z"}')
  ec2.server.control.schedule([{ Code: 'system-reboot', State: 'active', notBefore: Date.UTC(2019, 0, 21, 9, 0, 43) }])
  expect(JSON.parse(String(await ec2.get('events/maintenance/scheduled')))).toMatchObject([
    { Code: 'system-reboot', State: 'active', NotBefore: '21 Jan 2019 09:00:43 GMT' },
  ])
})
