import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openIbmAccount, type IbmAccount } from '../../../test/support/clouds/ibm-account.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { refusalOf } from '../../../test/support/thrown-by.ts'
import type { CallMade, CloudSettings } from '../../cloud.ts'
import { turnAfterMs } from '../../wire/limiter.ts'
import { readNothing } from './answers.ts'
import { Vpc, type VpcCall } from './client.ts'

let account: IbmAccount
let made: CallMade[]

beforeEach(async () => {
  made = []
  account = await openIbmAccount()
})
afterEach(() => account[Symbol.asyncDispose]())

function vpcWith(settings: CloudSettings = {}): Vpc {
  return new Vpc({ onCall: (call) => made.push(call), ...settings })
}

function look(over: Partial<VpcCall<unknown>> = {}): VpcCall<unknown> {
  const request = { method: 'GET', path: ['instances'], query: { limit: 1 } } as const
  return { scope: account.scope, action: 'list_instances', request, read: (answer) => answer, ...over }
}

/** Of something that is not there. */
function end(): VpcCall<unknown> {
  const request = { method: 'DELETE', path: ['instances', '0717_x'] } as const
  return { scope: account.scope, action: 'delete_instance', request, read: readNothing }
}

const actions = () => made.map(({ action, code }) => `${action} ${code}`)

describe('the token', () => {
  it('is asked for once by all who need one, and again before it ends', async () => {
    const vpc = vpcWith()
    await Promise.all(Array.from({ length: 20 }, () => vpc.call(look(), account.ctx())))
    expect(actions().filter((one) => one.startsWith('get_token'))).toEqual(['get_token OK'])
    await account.clock.advance(53 * 60_000)
    await vpc.call(look(), account.ctx())
    expect(actions().at(-1)).toBe('list_instances OK')
    await account.clock.advance(2 * 60_000)
    await vpc.call(look(), account.ctx())
    expect(actions().slice(-2)).toEqual(['get_token OK', 'list_instances OK'])
  })

  it('that VPC does not take any more is asked for anew with the next call', async () => {
    const vpc = vpcWith()
    await vpc.call(look(), account.ctx())
    account.simulator.control.expireTokens()
    expect(await refusalOf(vpc.call(look(), account.ctx()))).toMatchObject({ kind: 'denied', code: 'not_authorized' })
    await expect(vpc.call(look(), account.ctx())).resolves.toBeDefined()
  })

  it('that is refused is a matter of credentials: nothing else is sent, and the key is not shown', async () => {
    vi.stubEnv('IBMCLOUD_API_KEY', 'canary-key')
    const error = await refusalOf(vpcWith().call(end(), account.ctx()))
    expect(error).toMatchObject({ kind: 'denied', code: 'BXNIM0415E' })
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('canary')
    expect(actions()).toEqual(['get_token BXNIM0415E'])
  })

  it('that is refused is asked for again after growing pauses, however many callers want one', async () => {
    const right = process.env['IBMCLOUD_API_KEY']
    vi.stubEnv('IBMCLOUD_API_KEY', 'wrong')
    const vpc = vpcWith()
    for (let second = 0; second < 60; second += 1) {
      expect(await refusalOf(vpc.call(look(), account.ctx()))).toMatchObject({ kind: 'denied', code: 'BXNIM0415E' })
      expect(await vpc.accountOf(account.scope, account.ctx())).toBeUndefined()
      await account.clock.advance(1_000)
    }
    // At 0, 1, 3, 7, 15 and 31 s.
    expect(actions()).toEqual(Array(6).fill('get_token BXNIM0415E'))
    vi.stubEnv('IBMCLOUD_API_KEY', right)
    await account.clock.advance(10_000)
    await expect(vpc.call(look(), account.ctx())).resolves.toBeDefined()
  })

  it('that cannot be had leaves nothing open, even for a call that changes something', async () => {
    account.simulator.control.failNext('*', 1, { code: 'internal_error', message: 'Oops.', status: 500 })
    expect(await refusalOf(vpcWith().call(end(), account.ctx()))).toMatchObject({ kind: 'transient' })
  })

  it('that IAM does not give so often slows down nobody but who asks for one', async () => {
    const vpc = vpcWith()
    account.simulator.control.failNext('*', 1, { code: 'rate_limit_exceeded', message: 'Slow.', status: 429 })
    expect(await refusalOf(vpc.call(end(), account.ctx()))).toMatchObject({ kind: 'transient' })
    await account.clock.advance(10_000)
    expect(await refusalOf(vpc.call(end(), account.ctx()))).toMatchObject({ kind: 'missing' })
  })
})

describe('misconfigured', () => {
  it.each([
    ['IBMCLOUD_API_KEY', '', 'IBMCLOUD_API_KEY is not set'],
    ['IBMCLOUD_VPC_API_ENDPOINT', 'http://vpc.example', 'IBMCLOUD_VPC_API_ENDPOINT is plain http'],
    ['IBMCLOUD_IAM_API_ENDPOINT', 'http://iam.example', 'IBMCLOUD_IAM_API_ENDPOINT is plain http'],
  ])('%s: a person has to act, and no machine is at fault', async (variable, value, says) => {
    vi.stubEnv(variable, value)
    const error = await refusalOf(vpcWith().call(look(), account.ctx()))
    expect(error.kind).toBe('denied')
    expect(error.message).toContain(says)
  })
})

describe('every call', () => {
  it('says which API is meant, and is counted with what became of it', async () => {
    const vpc = vpcWith()
    await vpc.call(look(), account.ctx())
    await refusalOf(vpc.call(end(), account.ctx()))
    expect(actions()).toEqual(['get_token OK', 'list_instances OK', 'delete_instance not_found'])
    expect(made[1]).toMatchObject({ scope: account.scope, waitedMs: 0 })
    const [, listed] = account.simulator.control.requests()
    expect(JSON.stringify(listed)).toContain('"version":"2026-08-04"')
  })

  it('that is refused because there are too many makes those of its kind wait, and no others', async () => {
    const vpc = vpcWith()
    await vpc.call(look(), account.ctx())
    account.simulator.control.failNext('list_instances', 1, { code: 'rate_limit_exceeded', message: 'Slow.' })
    const refused = await refusalOf(vpc.call(look(), account.ctx()))
    expect(refused).toMatchObject({ kind: 'throttled', code: 'rate_limit_exceeded' })
    expect(turnAfterMs(await refusalOf(vpc.call(look({ maxWaitMs: 0 }), account.ctx())))).toBeGreaterThan(0)
    expect(await refusalOf(vpc.call(end(), account.ctx()))).toMatchObject({ kind: 'missing' })
  })

  it('may be made as often as the account was granted', async () => {
    const vpc = vpcWith({ grantedLimits: { look: { burst: 1, perSecond: 0.01 } } })
    await vpc.call(look(), account.ctx())
    expect(turnAfterMs(await refusalOf(vpc.call(look(), account.ctx())))).toBeGreaterThan(10_000)
  })

  it('that changes something is not sent while writes are held, though it had its turn; looks are', async () => {
    const vpc = vpcWith({ held: () => 'The API server does not answer.' })
    expect(await refusalOf(vpc.call(end(), account.ctx()))).toMatchObject({
      code: 'WritesHeld',
      message: 'The API server does not answer.',
    })
    await vpc.call(look(), account.ctx())
    expect(account.calls()).toEqual({ list_instances: 1 })
  })

  it('nor is it when they are held while its token is on its way', async () => {
    const held: { why?: string } = {}
    const vpc = vpcWith({ held: () => held.why })
    const token = account.simulator.control.hold('get_token', 'after')
    const call = refusalOf(vpc.call(end(), account.ctx()))
    await token.reached
    held.why = 'The lease is not ours for certain.'
    token.release()
    expect(await call).toMatchObject({ code: 'WritesHeld', message: held.why })
    expect(account.calls()).toEqual({})
  })

  it('ends when the signal does, before it is sent and while it waits for its token', async () => {
    const vpc = vpcWith()
    const stop = new AbortController()
    const held = account.simulator.control.hold('*', 'before')
    const call = refusalOf(vpc.call(end(), quietCtx({ clock: account.clock, signal: stop.signal })))
    await held.reached
    stop.abort(new Error('stopped'))
    expect((await call).kind).toBe('transient')
    held.drop()
    const over = quietCtx({ clock: account.clock, signal: AbortSignal.abort(new Error('stopped')) })
    expect(await refusalOf(vpc.call(end(), over))).toMatchObject({ kind: 'transient', code: 'GivenUp' })
    expect(account.calls()).toEqual({})
  })
})
