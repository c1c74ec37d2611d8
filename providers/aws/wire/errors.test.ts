import { describe, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { errorKinds, reachOf, toCloudError } from './errors.ts'

/** As the SDK throws them: the code is the name, the status stands in the metadata. */
function sdkError(code: string, status: number | undefined, more: object = {}): Error {
  const error = Object.assign(new Error(`${code} said`), { $metadata: { httpStatusCode: status }, ...more })
  error.name = code
  return error
}

describe('EC2 codes', () => {
  it.each(Object.entries(errorKinds))('%s is %s', (code, kind) => {
    expect(toCloudError(sdkError(code, 400))).toMatchObject({ kind, code, message: `${code} said` })
  })

  it('no capacity is no server fault, though EC2 says it with HTTP 500', () => {
    expect(toCloudError(sdkError('InsufficientInstanceCapacity', 500)).kind).toBe('capacity')
  })
})

describe('what EC2 documents as a definite refusal of RunInstances is none that passes by itself', () => {
  it.each([
    ['InsufficientVolumeCapacity', 500, 'capacity'],
    ['InsufficientAddressCapacity', 500, 'capacity'],
    ['InsufficientReservedInstanceCapacity', 500, 'capacity'],
    ['InsufficientCapacityOnHost', 400, 'capacity'],
    ['UnavailableHostRequirements', 400, 'capacity'],
    ['IncompatibleHostRequirements', 400, 'capacity'],
    ['NetworkInterfaceLimitExceeded', 400, 'quota'],
    ['ResourceLimitExceeded', 400, 'quota'],
    ['PrivateIpAddressLimitExceeded', 400, 'invalid'],
    ['InvalidInterface.IpAddressLimitExceeded', 400, 'invalid'],
    ['SecurityGroupsPerInstanceLimitExceeded', 400, 'invalid'],
    ['SecurityGroupLimitExceeded', 400, 'invalid'],
    ['InvalidSecurityGroupId.Malformed', 400, 'invalid'],
    ['InvalidSubnet', 400, 'invalid'],
    ['InvalidSubnetId.NotFound', 400, 'invalid'],
    ['InvalidPlacementGroupId.Malformed', 400, 'invalid'],
    ['TagPolicyViolation', 400, 'invalid'],
    ['InvalidTagKey.Malformed', 400, 'invalid'],
    ['BootForVolumeTypeUnsupported', 400, 'invalid'],
    ['EncryptedVolumesNotSupported', 400, 'invalid'],
    ['VolumeIOPSLimit', 400, 'invalid'],
    ['UnknownVolumeType', 400, 'invalid'],
    ['CustomerKeyHasBeenRevoked', 400, 'invalid'],
    ['InvalidTenancy', 400, 'invalid'],
    ['UnsupportedTenancy', 400, 'invalid'],
    ['InvalidRequest', 400, 'invalid'],
    ['InvalidInput', 400, 'invalid'],
    ['ValidationError', 400, 'invalid'],
    ['AccountDisabled', 400, 'denied'],
  ] as const)('%s (HTTP %s) is %s', (code, status, kind) => {
    expect(toCloudError(sdkError(code, status)).kind).toBe(kind)
  })
})

describe('what is not in the table', () => {
  it.each([
    [418, 'transient'],
    [429, 'throttled'],
    [403, 'denied'],
    [500, 'ambiguous'],
    [503, 'ambiguous'],
  ] as const)('a new code with HTTP %s is %s', (status, kind) => {
    expect(toCloudError(sdkError('SomethingNew', status)).kind).toBe(kind)
  })

  it('a connection that broke leaves open whether it was done, and keeps the code of the socket', () => {
    const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    expect(toCloudError(reset)).toMatchObject({ kind: 'ambiguous', code: 'ECONNRESET' })
  })

  it('a call that our own signal ended leaves it open too', () => {
    expect(toCloudError(sdkError('AbortError', undefined)).kind).toBe('ambiguous')
  })

  it('something that is no Error at all is one transient-looking failure, not a crash', () => {
    expect(toCloudError('text')).toBeInstanceOf(CloudError)
  })

  it('a CloudError stays what it is', () => {
    const error = new CloudError('invalid', { code: 'X', message: 'y' })
    expect(toCloudError(error)).toBe(error)
  })
})

it('a type that a zone does not have is not sold there; of all else there is none at the moment', () => {
  const unsold = Object.keys(errorKinds).filter((code) => reachOf(code) === 'unsold')
  expect([unsold, errorKinds['Unsupported']]).toEqual([['Unsupported'], 'capacity'])
})

describe('details', () => {
  it('takes Retry-After in seconds, at most 5 minutes', () => {
    const answer = (after: string) => ({ $response: { headers: { 'retry-after': after } } })
    expect(toCloudError(sdkError('RequestLimitExceeded', 503, answer('7'))).retryAfterMs).toBe(7_000)
    expect(toCloudError(sdkError('RequestLimitExceeded', 503, answer('9999'))).retryAfterMs).toBe(300_000)
    expect(toCloudError(sdkError('RequestLimitExceeded', 503, answer('soon'))).retryAfterMs).toBeUndefined()
  })

  it('cuts a long message', () => {
    const long = Object.assign(new Error('x'.repeat(5_000)), { $metadata: { httpStatusCode: 400 } })
    expect(toCloudError(long).message).toHaveLength(300)
  })
})
