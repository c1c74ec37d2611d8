import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { ForeignAnswer } from '../../shared/foreign-answer.ts'
import { errorKinds, nameTaken, toFailure, toRefusal } from './errors.ts'
import { NoReply } from './transport.ts'

const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => ({ status, headers, body })
const vpc = (code: string, over: object = {}) => ({
  errors: [{ code, message: `${code} said`, ...over }],
  trace: '7c5ad5c4-0c5a-4d0e-9d3e-1f3c1b7d6a11',
})
const of = (code: string, status = 400) => toRefusal(reply(status, vpc(code)), true)

describe('IBM’s codes', () => {
  it.each(Object.entries(errorKinds))('%s is %s', (code, kind) => {
    expect(of(code)).toMatchObject({ kind, code, message: `${code} said` })
  })

  it.each([...nameTaken])('%s, with which IBM says that a name is taken, is a conflict', (code) => {
    expect(errorKinds[code]).toBe('conflict')
  })

  it('of IAM have a body of their own', () => {
    const body = { errorCode: 'BXNIM0415E', errorMessage: 'Provided API key could not be found.', context: {} }
    const message = 'Provided API key could not be found.'
    expect(toRefusal(reply(400, body), false)).toMatchObject({ kind: 'denied', code: 'BXNIM0415E', message })
    expect(toRefusal(reply(400, { errorCode: 'BXNIM9999E' }), false)).toMatchObject({ kind: 'denied' })
    expect(toRefusal(reply(503, { errorCode: 'BXNIM9999E' }), false)).toMatchObject({ kind: 'transient' })
  })

  it.each([
    ['network_interface_over_quota', 'quota'],
    ['security_group_sgs_per_interface_exceeded', 'quota'],
    ['vpc_quota_exceeded', 'quota'],
    ['validation_enum', 'invalid'],
    ['validation_internal_error', 'transient'],
    ['load_balancer_insufficient_ips', 'subnet'],
    ['cannot_start_capacity', 'capacity'],
  ] as const)('%s belongs to a family: %s', (code, kind) => {
    expect(of(code).kind).toBe(kind)
  })
})

describe('a refusal in which another one stands', () => {
  // As terraform-provider-ibm has met it.
  const nested = {
    message:
      'Error from service: {"errors":[{"code":"validation_unique_failed","message":"Provided Name (m1) is not unique"}]}',
    target: { name: 'name', type: 'field', value: 'm1' },
  }

  it('says what the inner one says', () => {
    const message = 'Provided Name (m1) is not unique'
    expect(toRefusal(reply(400, vpc('bad_field', nested)), true)).toMatchObject({
      kind: 'conflict',
      code: 'validation_unique_failed',
      message: `name: ${message}`,
    })
  })

  it('of which we do not know the inner one is the outer one', () => {
    const message = '{"errors":[{"code":"never_heard_of","message":"x"}]}'
    expect(toRefusal(reply(400, vpc('bad_field', { message })), true)).toMatchObject({
      kind: 'invalid',
      code: 'bad_field',
    })
  })

  it('one of several that we know decides', () => {
    const body = { errors: [...vpc('never_heard_of').errors, ...vpc('over_quota').errors] }
    expect(toRefusal(reply(400, body), true)).toMatchObject({ kind: 'quota', code: 'over_quota' })
  })
})

describe('what is not in the table', () => {
  it.each([
    [400, 'transient'],
    [404, 'transient'],
    [409, 'conflict'],
    [429, 'throttled'],
    [401, 'denied'],
    [403, 'denied'],
    [500, 'ambiguous'],
    [503, 'ambiguous'],
  ] as const)('a new code with HTTP %s is %s', (status, kind) => {
    for (const code of ['never_heard_of', 'constructor']) expect(of(code, status).kind).toBe(kind)
  })

  it.each([
    [404, 'ambiguous'],
    [403, 'ambiguous'],
    [302, 'ambiguous'],
    [502, 'ambiguous'],
    [429, 'throttled'],
  ] as const)(
    'an answer with HTTP %s that is not IBM’s is %s: a proxy’s "not found" proves nothing',
    (status, kind) => {
      for (const body of [undefined, {}, { errors: 'none' }, { errors: [null, { message: 'x' }] }]) {
        expect(toRefusal(reply(status, body), true)).toMatchObject({ kind, code: `HTTP ${status}` })
      }
    },
  )

  it('a call that only looks leaves nothing open', () => {
    expect(toRefusal(reply(500, vpc('internal_error')), false).kind).toBe('transient')
    expect(toRefusal(reply(502, undefined), false).kind).toBe('transient')
  })
})

describe('no usable answer', () => {
  it.each(['ECONNRESET', 'ECONNABORTED', 'ERR_CANCELED', 'NoAnswer'])(
    '%s leaves it open whether it was done',
    (code) => {
      expect(toFailure(new NoReply(code, 'There was none.'), true)).toMatchObject({ kind: 'ambiguous', code })
      expect(toFailure(new NoReply(code, 'There was none.'), false)).toMatchObject({ kind: 'transient', code })
    },
  )

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
    '%s: there was no connection, so nothing was done',
    (code) => {
      expect(toFailure(new NoReply(code, 'No.'), true)).toMatchObject({ kind: 'transient', code })
    },
  )

  it('a yes that is not IBM’s leaves it open too', () => {
    expect(toFailure(new ForeignAnswer('Not IBM.'), true)).toMatchObject({ kind: 'ambiguous', code: 'ForeignAnswer' })
  })

  it('something unexpected says nothing of what it holds', () => {
    expect(toFailure(new Error('#cloud-config canary'), true).message).not.toContain('canary')
    expect(toFailure('text', false)).toBeInstanceOf(CloudError)
  })

  it('a CloudError stays what it is', () => {
    const error = new CloudError('invalid', { code: 'X', message: 'y' })
    expect(toFailure(error, true)).toBe(error)
  })
})

describe('details', () => {
  it('names the field, and never what stood in it', () => {
    const wrong = vpc('bad_field', {
      message: 'Not found.',
      target: { name: 'image.id', type: 'field', value: 'canary' },
    })
    expect(toRefusal(reply(400, wrong), true).message).toBe('image.id: Not found.')
    const secret = vpc('bad_field', { message: 'Bad: canary', target: { name: 'user_data', value: 'canary' } })
    expect(
      JSON.stringify([toRefusal(reply(400, secret), true), toRefusal(reply(400, secret), true).message]),
    ).not.toContain('canary')
  })

  it.each([
    ['7', 7_000],
    ['301', 300_000],
    ['0', 0],
    ['soon', undefined],
  ])('Retry-After %s is %s ms', (after, ms) => {
    const refused = toRefusal(reply(429, vpc('rate_limit_exceeded'), { 'retry-after': after }), true)
    expect(refused.retryAfterMs).toBe(ms)
  })

  it('cuts a long message', () => {
    expect(toRefusal(reply(400, vpc('bad_field', { message: 'x'.repeat(5_000) })), true).message).toHaveLength(300)
  })
})

it('no answer, whatever stands in it, is more than one refusal', () => {
  const error = fc.record({ code: fc.anything(), message: fc.anything(), target: fc.anything() })
  const body = fc.oneof(fc.anything(), fc.record({ errors: fc.array(fc.oneof(error, fc.anything())) }))
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), body, fc.boolean(), (status, given, isWrite) => {
      const refusal = toRefusal(reply(status, given), isWrite)
      expect(refusal.code).not.toBe('')
      expect(refusal.message.length).toBeLessThanOrEqual(300)
      expect(isWrite || refusal.kind !== 'ambiguous').toBe(true)
    }),
  )
})
