import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { thrownBy } from '../../../test/support/thrown-by.ts'
import type { CallMade, CloudSettings } from '../../cloud.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Scope } from '../../../api/scope.ts'
import { turnAfterMs } from '../../wire/limiter.ts'
import { Ec2, type Ec2Call } from './client.ts'

const scope = (over: Partial<Scope> = {}): Scope => ({
  cloud: 'aws',
  identity: 'default',
  region: 'us-east-1',
  ...over,
})

/** Calls that EC2 would answer after `tookMs`, in whatever way the test says. */
function rig(options: Omit<CloudSettings, 'onCall'> = {}) {
  const clock = new FakeClock(0)
  const made: CallMade[] = []
  const ec2 = new Ec2({ ...options, onCall: (call) => made.push(call) })
  let tookMs = 0
  const call = (over: Partial<Ec2Call> = {}, refusal?: { name: string; status: number }): Promise<string> => {
    const ctx = quietCtx({ clock })
    const send = async () => {
      if (tookMs > 0) await clock.sleep(tookMs, ctx.signal)
      if (!refusal) return 'answer'
      const error = new Error('No.')
      throw Object.assign(error, { name: refusal.name, $metadata: { httpStatusCode: refusal.status } })
    }
    const answer = ec2.call({ scope: scope(), action: 'RunInstances', ...over }, send, ctx)
    answer.catch(() => {})
    return answer
  }
  return { clock, made, call, answersAfter: (ms: number) => (tookMs = ms) }
}

afterEach(() => void vi.unstubAllEnvs())

const fill = async (call: ReturnType<typeof rig>['call'], over: Partial<Ec2Call> = {}) => {
  for (let n = 0; n < 5; n++) expect(await call(over)).toBe('answer')
}

describe('the limits of an account and region', () => {
  it('are one for all its callers', async () => {
    const { call, clock, made } = rig()
    await fill(call, { scope: scope() })
    void call({ scope: scope() })
    await clock.advance(0)
    expect(made).toHaveLength(5)
    await clock.advance(2_000)
    expect(made).toHaveLength(6)
  })

  it('are others in another region, and for another identity', async () => {
    const { call, made } = rig()
    await fill(call)
    const ofOne = made.length
    await fill(call, { scope: scope({ region: 'eu-central-1' }) })
    await fill(call, { scope: scope({ identity: 'default/other' }) })
    expect(made).toHaveLength(3 * ofOne)
  })

  it('are what the account was granted, where that is not what EC2 documents', async () => {
    const { call, made } = rig({ grantedLimits: { RunInstances: { burst: 50, perSecond: 20 } } })
    await Promise.all(Array.from({ length: 50 }, () => call()))
    expect(made).toHaveLength(50)
  })

  it('do not keep terminations and looks waiting for launches', async () => {
    const { call } = rig()
    await fill(call)
    for (let n = 0; n < 10; n++) void call()
    expect(await call({ action: 'TerminateInstances' })).toBe('answer')
    expect(await call({ action: 'DescribeInstances' })).toBe('answer')
  })

  it('send a launch away that would wait for more than two seconds, and keep its place', async () => {
    const { call, clock, made } = rig()
    await fill(call)
    const waiting = call()
    const error = await thrownBy(call({ key: 'token' }))
    const after = turnAfterMs(error) ?? 0
    expect(after).toBeGreaterThan(2_000)
    await clock.advance(after)
    await waiting
    expect(await call({ key: 'token' })).toBe('answer')
    expect(made).toHaveLength(7)
  })

  it('pause for all when EC2 says that there were too many', async () => {
    const { call, clock, made } = rig()
    const refused = await thrownBy(call({}, { name: 'RequestLimitExceeded', status: 503 }))
    expect(refused).toMatchObject({ kind: 'throttled', code: 'RequestLimitExceeded' })
    expect((refused as CloudError).retryAfterMs).toBeGreaterThan(500)
    void call()
    await clock.advance(500)
    expect(made).toHaveLength(1)
    await clock.advance(500)
    expect(made).toHaveLength(2)
  })
})

describe('counting', () => {
  it('is of every request that was sent, with what became of it and how long EC2 took', async () => {
    const { call, clock, made, answersAfter } = rig()
    answersAfter(30)
    const good = call()
    await clock.advance(30)
    await good
    const bad = thrownBy(call({ action: 'DescribeInstances' }, { name: 'UnauthorizedOperation', status: 403 }))
    await clock.advance(30)
    expect(await bad).toBeInstanceOf(CloudError)
    expect(made).toEqual([
      { scope: scope(), action: 'RunInstances', code: 'OK', ms: 30, waitedMs: 0 },
      { scope: scope(), action: 'DescribeInstances', code: 'UnauthorizedOperation', ms: 30, waitedMs: 0 },
    ])
  })

  it('leaves out the wait for the turn, and who was sent away', async () => {
    const { call, clock, made } = rig()
    await fill(call)
    const waiting = call()
    expect(turnAfterMs(await thrownBy(call()))).toBeGreaterThan(0)
    await clock.advance(5_000)
    await waiting
    expect(made.map(({ ms }) => ms)).toEqual([0, 0, 0, 0, 0, 0])
    expect(made.at(-1)?.waitedMs).toBeGreaterThan(0)
  })
})

it('every failure is a CloudError, also of who gave up in the line', async () => {
  const { clock } = rig()
  const ec2 = new Ec2()
  const call = ec2.call(
    { scope: scope(), action: 'RunInstances' },
    () => Promise.resolve('never'),
    quietCtx({ clock, signal: AbortSignal.abort(new Error('stopped')) }),
  )
  expect(await thrownBy(call)).toMatchObject({ name: 'CloudError', kind: 'transient', code: 'GivenUp' })
})

describe('while writes are held', () => {
  it('sends nothing that changes something, though its turn has come, and looks all the same', async () => {
    const held: { why?: string } = {}
    const { call, clock, made } = rig({ held: () => held.why })
    await fill(call)
    const launch = thrownBy(call())
    held.why = 'The API server does not answer.'
    await clock.advance(5_000)
    expect(await launch).toMatchObject({ code: 'WritesHeld', message: held.why })
    expect(await call({ action: 'DescribeInstances' })).toBe('answer')
    expect(made.slice(5).map(({ action }) => action)).toEqual(['DescribeInstances'])
  })

  it('sends nothing either when that begins while credentials are on their way', async () => {
    const held: { why?: string } = {}
    const sent: (string | undefined)[] = []
    await using endpoint = await startEndpoint((path) => {
      if (path !== '/credentials') sent.push(path)
      else held.why = 'The lease is not ours for certain.'
    })
    noOtherCredentials(endpoint.url)
    const made: CallMade[] = []
    const ec2 = new Ec2({ held: () => held.why, onCall: (call) => made.push(call) })
    const end = new TerminateInstancesCommand({ InstanceIds: ['i-1'] })
    const call = { scope: scope(), action: 'TerminateInstances' } as const
    const refused = await thrownBy(ec2.call(call, (client, options) => client.send(end, options), quietCtx()))
    expect(refused).toMatchObject({ kind: 'transient', code: 'WritesHeld', message: held.why })
    expect([sent, made]).toEqual([[], []])
  })
})

/** Somebody who hands out credentials, and whom EC2's calls would reach, too. */
async function startEndpoint(asked: (path: string | undefined) => void) {
  const server = createServer(({ url: path }, response) => {
    asked(path)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        AccessKeyId: 'AKIA',
        SecretAccessKey: 'secret',
        Token: 't',
        Expiration: '2999-01-01T00:00:00Z',
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function noOtherCredentials(url: string): void {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_PROFILE', 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'])
    vi.stubEnv(name, '')
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/nowhere')
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${url}/credentials`)
  vi.stubEnv('AWS_ENDPOINT_URL_EC2', url)
}
