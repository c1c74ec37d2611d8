import { describe, expect, it, test } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { isDefinite } from '../../../api/refusal.ts'
import { errorKinds, failureOf, reachOf, refusalOf, toCloudError, wordings } from './errors.ts'

const refused = (code: string, over: { status?: number; message?: string; retryAfter?: string } = {}) => {
  const { status = 409, message = `${code} said.`, retryAfter } = over
  return refusalOf({ status, body: { error: { code, message } }, retryAfter })
}

/** As Azure words them. */
const quota = (name: string) =>
  `Operation could not be completed as it results in exceeding approved ${name} quota. Additional details - Location: ` +
  'westus2, Current Limit: 0, Current Usage: 0, Additional Required: 2, (Minimum) New Limit Required: 2.'

describe('Azure’s codes', () => {
  it.each(Object.entries(errorKinds))('%s is %s', (code, kind) => {
    expect(refused(code)).toMatchObject({ kind, code, message: `${code} said.` })
  })

  it.each(['LowPriorityCores', 'standardDSv5Family Cores', 'Total Regional Cores'])(
    'OperationNotAllowed over %s is a quota',
    (name) => {
      expect(refused('OperationNotAllowed', { message: quota(name) }).kind).toBe('quota')
    },
  )

  it.each(wordings)('$code that says "$says" is $kind', ({ code, says, kind }) => {
    expect(refused(code, { message: `Sorry: ${says}.` }).kind).toBe(kind)
  })

  it('OperationNotAllowed over something else is one machine’s passing trouble', () => {
    expect(refused('OperationNotAllowed', { message: 'The disk is attached.' }).kind).toBe('transient')
  })

  it('a code whose kind the table has needs no wording', () => {
    expect(wordings.filter(({ code }) => code in errorKinds)).toEqual([])
  })

  it('HTTP 429 is too many calls, whatever the code', () => {
    expect(refused('OperationNotAllowed', { status: 429, message: quota('LowPriorityCores') }).kind).toBe('throttled')
  })
})

describe('what is not in the table', () => {
  it.each([
    [409, 'transient'],
    [401, 'denied'],
    [403, 'denied'],
    [500, 'ambiguous'],
    [503, 'ambiguous'],
  ] as const)('a new code with HTTP %s is %s', (status, kind) => {
    expect(refused('SomethingNew', { status })).toMatchObject({ kind, code: 'SomethingNew' })
  })

  it.each([undefined, null, '', '<html>', [], {}, { error: 'text' }, { error: { code: 404 } }])(
    'a 404 that is no document of Azure (%j) does not say that anything is gone',
    (body) => {
      expect(refusalOf({ status: 404, body, retryAfter: undefined })).toMatchObject({
        kind: 'transient',
        code: 'HTTP404',
      })
    },
  )

  it('a connection that broke leaves open whether it was done; nothing of what was sent is told', () => {
    const request = { body: '{"customData":"Y2FuYXJ5"}' }
    const broken = Object.assign(new Error('Y2FuYXJ5'), { code: 'ECONNRESET', request })
    const error = toCloudError(broken)
    expect(error).toMatchObject({ kind: 'ambiguous', code: 'ECONNRESET' })
    expect(JSON.stringify([error, error.message, error.cause ?? ''])).not.toContain('Y2FuYXJ5')
  })

  it.each(['text', undefined, null])('something that is no Error (%s) is a CloudError too', (thrown) => {
    expect(toCloudError(thrown)).toBeInstanceOf(CloudError)
  })

  it('a CloudError stays what it is', () => {
    const error = new CloudError('invalid', { code: 'X', message: 'y' })
    expect(toCloudError(error)).toBe(error)
  })
})

describe('details', () => {
  it('takes Retry-After in seconds, at most 5 minutes', () => {
    const after = (retryAfter: string) => refused('TooManyRequests', { status: 429, retryAfter }).retryAfterMs
    expect([after('7'), after('9999'), after('soon'), after('-1')]).toEqual([7_000, 300_000, undefined, undefined])
  })

  it('tells the sentence that says what is wrong, where Azure hides it below', () => {
    const details = [{ code: 'InvalidJson', message: 'Could not find member x.' }]
    const body = { error: { code: 'InvalidRequestFormat', message: 'Cannot parse the request.', details } }
    expect(refusalOf({ status: 400, body, retryAfter: undefined }).message).toBe(
      'Cannot parse the request. Could not find member x.',
    )
  })

  it('cuts a long message, and all after its first line', () => {
    expect(refused('X', { message: 'x'.repeat(5_000) }).message).toHaveLength(300)
    expect(refused('X', { message: 'One.\r\nTrace ID: 1' }).message).toBe('One.')
  })
})

describe('what Azure finds out after its yes', () => {
  it.each([
    ['AllocationFailed', 'capacity'],
    ['ZonalAllocationFailed', 'capacity'],
    ['OverconstrainedZonalAllocationRequest', 'capacity'],
    ['OSProvisioningClientError', 'invalid'],
  ])('%s is %s', (code, kind) => {
    expect(failureOf(code, 'Said.')).toMatchObject({ kind, code, message: 'Said.' })
  })

  it('is never open, as Azure has decided', () => {
    for (const code of Object.keys(errorKinds)) {
      expect(['ambiguous', 'throttled', 'missing', 'conflict']).not.toContain(failureOf(code, '').kind)
    }
  })

  it('has words even where Azure has none', () => {
    const { kind, code, message } = failureOf(undefined, undefined)
    expect({ kind, code }).toEqual({ kind: 'transient', code: 'ProvisioningFailed' })
    expect(message).toMatch(/\.$/)
  })
})

test.each([
  ['AllocationFailed', 'Spot', 'hardware'],
  ['AllocationFailed', 'OnDemand', 'hardware'],
  ['ZonalAllocationFailed', 'Spot', 'hardware'],
  ['OverconstrainedAllocationRequest', 'Spot', 'offering'],
  ['OverconstrainedZonalAllocationRequest', 'OnDemand', 'offering'],
  ['SkuNotAvailable', 'Spot', 'offering'],
  ['SkuNotAvailable', 'OnDemand', 'unsold'],
  ['constructor', 'OnDemand', 'offering'],
] as const)('%s, %s, reaches the %s', (code, capacityType, reach) => {
  expect(reachOf(code, capacityType)).toBe(reach)
})

it('after these refusals nothing more is asked for the machine', () => {
  const codes = [
    'SkuNotAvailable',
    'QuotaExceeded',
    'SpotPriceGreaterThanProvidedMaxPrice',
    'SubnetIsFull',
    'BadRequest',
  ]
  expect(codes.map((code) => isDefinite(refused(code).kind))).toEqual(codes.map(() => true))
  const open = ['TooManyRequests', 'AuthorizationFailed', 'InternalServerError', 'Conflict', 'SomethingNew']
  expect(open.map((code) => isDefinite(refused(code).kind))).toEqual(open.map(() => false))
})
