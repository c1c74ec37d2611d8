import { describe, expect, it } from 'vitest'
import { errorKinds, operationError, refusalError } from './errors.ts'

const now = Date.UTC(2026, 0, 1, 0, 0, 20)
const refusal = (status: number, reason: string, message = 'A sentence.') => ({
  status,
  body: JSON.stringify({ error: { code: status, message, errors: [{ message, domain: 'global', reason }] } }),
})

describe('every code of the table', () => {
  it.each(Object.entries(errorKinds))(
    '%s is %s, as the reason of a refusal and as the code of an operation',
    (code, kind) => {
      expect(refusalError(refusal(400, code), now)).toMatchObject({ kind, code, message: 'A sentence.' })
      expect(operationError({ error: { errors: [{ code, message: 'A sentence.' }] } })).toMatchObject({ kind, code })
    },
  )
})

describe('what is not in the table', () => {
  it.each([
    [400, 'transient'],
    [403, 'denied'],
    [429, 'throttled'],
    [500, 'ambiguous'],
    [503, 'ambiguous'],
  ] as const)('with HTTP %d is %s', (status, kind) => {
    expect(refusalError(refusal(status, 'somethingNew'), now)).toMatchObject({ kind, code: 'somethingNew' })
  })

  it('is one machine’s transient error where an operation ends with it', () => {
    const error = operationError({ error: { errors: [{ code: 'SOMETHING_NEW' }] } })
    expect(error).toMatchObject({ kind: 'transient', code: 'SOMETHING_NEW', message: 'GCE says no more.' })
    expect(operationError({})).toBeUndefined()
    expect(operationError({ error: { errors: [{}] } })).toMatchObject({ kind: 'transient', code: 'UNKNOWN' })
  })
})

describe('the traps', () => {
  it('`required` without credentials is a matter of credentials, not of a field', () => {
    expect(refusalError(refusal(401, 'required'), now).kind).toBe('denied')
    expect(refusalError(refusal(400, 'required'), now).kind).toBe('invalid')
  })

  it('too many calls are a 403; they end with the minute of the clock on the wall', () => {
    const error = refusalError(refusal(403, 'rateLimitExceeded'), now)
    expect(error).toMatchObject({ kind: 'throttled', retryAfterMs: 40_000 })
    const later = refusalError({ ...refusal(429, 'rateLimitExceeded'), retryAfter: '90' }, now)
    expect(later.retryAfterMs).toBe(90_000)
  })

  it.each([
    'Specified reservations [r1] do not exist.',
    "Specified reservation 'r1' does not have available resources for the request.",
  ])('a reservation has no code: "%s"', (message) => {
    expect(refusalError(refusal(400, 'badRequest', message), now).kind).toBe('reservation')
    expect(operationError({ error: { errors: [{ code: 'INVALID_USAGE', message }] } })?.kind).toBe('reservation')
  })

  it('UNSUPPORTED_OPERATION of an insert is the offering’s fault where it was taken back before it was up', () => {
    const message = 'Instance failed to start due to preemption.'
    const failed = (said: string) =>
      operationError({ error: { errors: [{ code: 'UNSUPPORTED_OPERATION', message: said }] } })
    expect(failed(message)).toMatchObject({ kind: 'capacity', code: 'UNSUPPORTED_OPERATION', message })
    expect(failed('The disk type is not supported.')).toMatchObject({ kind: 'invalid' })
  })

  it('a lack of capacity that is said at once is definite, though it comes with HTTP 503', () => {
    expect(refusalError(refusal(503, 'insufficientCapacity'), now).kind).toBe('capacity')
  })

  it('a name of gRPC stands in for a reason, and the status for both', () => {
    const body = JSON.stringify({ error: { status: 'PERMISSION_DENIED', message: 'No.' } })
    expect(refusalError({ status: 403, body }, now)).toMatchObject({ kind: 'denied', code: 'PERMISSION_DENIED' })
    expect(refusalError({ status: 502, body: '<html>' }, now)).toMatchObject({ kind: 'ambiguous', code: 'HTTP502' })
    expect(refusalError({ status: 400, body: '{"error":"text"}' }, now)).toMatchObject({ code: 'HTTP400' })
  })
})

describe('messages', () => {
  it('never show the value of the metadata, which is the bootstrap data', () => {
    const message =
      "Invalid value for field 'resource.metadata.items[1].value': '#cloud-config\n token: it's 'canary''. No."
    const { message: shown } = refusalError(refusal(400, 'invalid', message), now)
    expect(shown).toBe("GCE refuses the value of the field 'resource.metadata.items[1].value'.")
    expect(operationError({ error: { errors: [{ code: 'INVALID_FIELD_VALUE', message }] } })?.message).toBe(shown)
  })

  it('are one line, and not a long one', () => {
    expect(refusalError(refusal(503, 'x', 'Not  enough\n  resources.'), now).message).toBe('Not enough resources.')
    expect(refusalError(refusal(503, 'x', 'x'.repeat(1_000)), now).message).toHaveLength(300)
  })
})
