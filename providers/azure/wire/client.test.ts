import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scope } from '../../../test/support/clouds/azure-specs.ts'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { thrownBy } from '../../../test/support/thrown-by.ts'
import type { CallMade, CloudSettings } from '../../cloud.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { turnAfterMs } from '../../wire/limiter.ts'
import { Arm, type ArmCall } from './client.ts'

interface Answer {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

let server: Server
let url: string
let got: { method: string | undefined; path: string | undefined; headers: IncomingMessage['headers']; body: string }[]
let answer: Answer

beforeEach(async () => {
  got = []
  answer = { body: { id: 'i', name: 'n' } }
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url: path, headers } = request
      got.push({ method, path, headers, body: Buffer.concat(chunks).toString() })
      const { status = 200, body, headers: more = {} } = answer
      response.writeHead(status, { 'content-type': 'application/json', ...more })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const look: ArmCall = {
  scope,
  action: 'VirtualMachines_Get',
  path: '/subscriptions/s/m1',
  query: { $expand: 'instanceView' },
}
const make: ArmCall = {
  scope,
  action: 'VirtualMachines_CreateOrUpdate',
  path: '/subscriptions/s/m1',
  headers: { 'if-none-match': '*' },
  body: { a: 1 },
}

function rig(settings: Omit<CloudSettings, 'onCall'> = {}, endpoint = url) {
  const clock = new FakeClock(0)
  const made: CallMade[] = []
  const tokens: unknown[] = []
  let meanwhile: () => unknown = () => {}
  const credential = {
    async getToken(scopes: string | string[]) {
      tokens.push(scopes)
      const happening = meanwhile
      meanwhile = () => {}
      await happening()
      return { token: 'token', expiresOnTimestamp: Infinity }
    },
  }
  /** What happens while the next one waits for his token. */
  const slowToken = (happens: typeof meanwhile) => (meanwhile = happens)
  const onCall = (call: CallMade) => made.push(call)
  const arm = new Arm(credential, { AZURE_RESOURCE_MANAGER_ENDPOINT: endpoint }, { ...settings, onCall })
  const ctx = quietCtx({ clock })
  return { clock, made, tokens, slowToken, arm, ctx, call: (one: ArmCall) => arm.call(one, ctx) }
}

describe('a call', () => {
  it('goes to the endpoint, in the version of its action, with our token', async () => {
    const { call, tokens } = rig()
    expect(await call(look)).toEqual({ status: 200, body: { id: 'i', name: 'n' } })
    await call(make)
    expect(got.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      { method: 'GET', path: '/subscriptions/s/m1?api-version=2026-04-01&%24expand=instanceView', body: '' },
      { method: 'PUT', path: '/subscriptions/s/m1?api-version=2026-04-01', body: '{"a":1}' },
    ])
    expect(got[1]?.headers).toMatchObject({
      authorization: 'Bearer token',
      'if-none-match': '*',
      'content-type': 'application/json',
    })
    expect(tokens[0]).toBe('https://management.azure.com/.default')
  })

  it('that is refused is one call, and throws what Azure says', async () => {
    answer = { status: 503, body: { error: { code: 'ServiceUnavailable', message: 'Later.' } } }
    expect(await thrownBy(rig().call(make))).toMatchObject({ kind: 'ambiguous', code: 'ServiceUnavailable' })
    answer = { status: 404, body: '<html>', headers: { 'content-type': 'text/html' } }
    expect(await thrownBy(rig().call(look))).toMatchObject({ kind: 'transient', code: 'HTTP404' })
    expect(got).toHaveLength(2)
  })

  it('whose answer cannot be read is ambiguous, and nothing of the answer is told', async () => {
    answer = { body: '{"customData": "canary' }
    const error = await thrownBy(rig().call(make))
    expect(error).toMatchObject({ kind: 'ambiguous' })
    expect(JSON.stringify([error, (error as Error).message])).not.toContain('canary')
  })

  it('to nobody is ambiguous', async () => {
    const { call } = rig({}, 'http://127.0.0.1:1')
    expect(await thrownBy(call(make))).toMatchObject({ kind: 'ambiguous', code: 'ECONNREFUSED' })
  })

  it('follows a link to Azure only: our token goes along', async () => {
    const list: ArmCall = { scope, action: 'VirtualMachines_ListAll', path: `${url}/next?api-version=1&$skiptoken=2` }
    const { call } = rig()
    await call(list)
    expect(got[0]?.path).toBe('/next?api-version=1&$skiptoken=2')
    const elsewhere = { ...list, path: list.path.replace('127.0.0.1', 'localhost') }
    expect(await thrownBy(call(elsewhere))).toMatchObject({ code: 'ForeignLink' })
    expect(got).toHaveLength(1)
  })

  it('without a subscription says where to set one', async () => {
    const { account: _, ...exclude } = scope
    expect(await thrownBy(rig().call({ ...look, scope: exclude }))).toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('AZURE_SUBSCRIPTION_ID') as string,
    })
  })

  it('that never gets a token is what the credential says, and no request', async () => {
    const denied = new CloudError('denied', { code: 'AADSTS1', message: 'No.' })
    const arm = new Arm({ getToken: () => Promise.reject(denied) }, { AZURE_RESOURCE_MANAGER_ENDPOINT: url })
    expect(await thrownBy(arm.call(make, quietCtx()))).toBe(denied)
    expect(got).toEqual([])
  })

  it('ends with its signal while it still waits for a token', async () => {
    const stop = new AbortController()
    const arm = new Arm({ getToken: () => new Promise(() => {}) }, { AZURE_RESOURCE_MANAGER_ENDPOINT: url })
    const call = thrownBy(arm.call(make, quietCtx({ signal: stop.signal })))
    stop.abort()
    expect(await call).toMatchObject({ kind: 'ambiguous', code: 'AbortError' })
  })

  it('ends with its signal', async () => {
    const { arm } = rig()
    const stop = new AbortController()
    server.removeAllListeners('request')
    const reached = new Promise((resolve) => server.once('request', resolve))
    const call = thrownBy(arm.call(make, quietCtx({ signal: stop.signal })))
    await reached
    stop.abort(new Error('stopped'))
    expect(await call).toMatchObject({ kind: 'ambiguous' })
    server.closeAllConnections()
  })
})

describe('the limits of a subscription and region', () => {
  const limits = { grantedLimits: { PutVM: { burst: 1, perSecond: 1 } } }

  it('are one for all its callers, and keep the place of who is sent away', async () => {
    const { call, clock, made } = rig(limits)
    await call(make)
    const waiting = call({ ...make, maxWaitMs: Infinity })
    const error = await thrownBy(call({ ...make, key: 'token' }))
    expect(turnAfterMs(error)).toBeGreaterThan(1_000)
    await clock.advance(10_000)
    await waiting
    await call({ ...make, key: 'token' })
    expect(made).toHaveLength(3)
  })

  it('are others in another region, and in another subscription', async () => {
    const { call } = rig(limits)
    await call(make)
    await call({ ...make, scope: { ...scope, region: 'eastus' } })
    await call({ ...make, scope: { ...scope, account: 'other' } })
    expect(got).toHaveLength(3)
  })

  it('pause for all when Azure says that there were too many, for as long as it says', async () => {
    const { call, clock } = rig()
    const error = { error: { code: 'TooManyRequests', message: 'No.' } }
    answer = { status: 429, body: error, headers: { 'retry-after': '7' } }
    expect(await thrownBy(call(look))).toMatchObject({ kind: 'throttled', retryAfterMs: 7_000 })
    answer = {}
    const next = call({ ...look, maxWaitMs: Infinity })
    await clock.advance(6_900)
    expect(got).toHaveLength(1)
    await clock.advance(200)
    await next
    expect(got).toHaveLength(2)
  })
})

describe('counting', () => {
  it('is of every request that was sent, with what became of it', async () => {
    const { call, made } = rig()
    await call(look)
    answer = { status: 403, body: { error: { code: 'AuthorizationFailed', message: 'No.' } } }
    await thrownBy(call(make))
    expect(made).toEqual([
      { scope, action: 'VirtualMachines_Get', code: 'OK', ms: 0, waitedMs: 0 },
      { scope, action: 'VirtualMachines_CreateOrUpdate', code: 'AuthorizationFailed', ms: 0, waitedMs: 0 },
    ])
  })

  it('tells the wait of a turn once, though two calls are made in it', async () => {
    const { arm, made, clock, ctx, call } = rig({ grantedLimits: { PutVM: { burst: 1, perSecond: 1 } } })
    await call(make)
    const both = arm.turn(
      { scope, action: 'Launch', maxWaitMs: Infinity },
      async (send) => [await send(make), await send(make)],
      ctx,
    )
    await clock.advance(10_000)
    await both
    expect(made.map(({ waitedMs }) => waitedMs > 0)).toEqual([false, true, false])
  })
})

it('while writes are held nothing is sent that changes something, and looks go on', async () => {
  const { call } = rig({ held: () => 'The API server does not answer.' })
  expect(await thrownBy(call(make))).toMatchObject({ code: 'WritesHeld', message: 'The API server does not answer.' })
  await call(look)
  expect(got.map(({ method }) => method)).toEqual(['GET'])
})

it('what is held while its token is on its way is not sent with it', async () => {
  const held: { why?: string } = {}
  const { call, made, slowToken } = rig({ held: () => held.why })
  slowToken(() => (held.why = 'The lease is not ours for certain.'))
  expect(await thrownBy(call(make))).toMatchObject({ kind: 'transient', code: 'WritesHeld', message: held.why })
  expect([got, made]).toEqual([[], []])
})

it('nor what was given up meanwhile', async () => {
  const { call, clock, slowToken } = rig()
  slowToken(() => clock.advance(45_000))
  expect(await thrownBy(call(make))).toMatchObject({ kind: 'ambiguous', code: 'TimeoutError' })
  for (let looks = 0; looks < 3; looks++) await call(look)
  expect(got.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET'])
})
