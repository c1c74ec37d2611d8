import type { Instance as Ec2Instance } from '@aws-sdk/client-ec2'
import { describe, expect, it } from 'vitest'
import { providerIDOf } from './provider-id.ts'
import { toInstance } from './state.ts'

const ec2 = (over: Ec2Instance): Ec2Instance => ({
  InstanceId: 'i-1',
  InstanceType: 'm5.large',
  Placement: { AvailabilityZone: 'us-east-1a' },
  State: { Name: 'running' },
  ...over,
})

it('names the instance as the cloud controller of AWS does', () => {
  expect(providerIDOf(toInstance(ec2({})))).toBe('aws:///us-east-1a/i-1')
})

it('a state that is new to us is "not started yet", never fatal', () => {
  expect(toInstance(ec2({ State: { Name: 'frozen' as 'running' } })).state).toBe('pending')
})

describe('the reason', () => {
  const over = (Code: string, Message: string) =>
    toInstance(ec2({ State: { Name: 'terminated' }, StateReason: { Code, Message } }))

  it('stands there once, though EC2 repeats its code in the message', () => {
    const code = 'Server.SpotInstanceTermination'
    expect(over(code, `${code}: Spot instance termination`).reason).toEqual({
      code,
      message: 'Spot instance termination',
    })
    expect(over(code, 'Something else').reason).toEqual({ code, message: 'Something else' })
  })

  it.each([
    ['Server.SpotInstanceTermination', true],
    ['Server.SpotInstanceShutdown', true],
    ['Client.UserInitiatedShutdown', undefined],
  ])('%s: interrupted is %s', (code, interrupted) => {
    expect(over(code, code).interrupted).toBe(interrupted)
  })

  it.each([
    ['Server.InsufficientInstanceCapacity', 'capacity'],
    ['Client.VolumeLimitExceeded', 'quota'],
    ['Client.InternalError', 'invalid'],
    ['Client.InvalidKMSKey.InvalidState', 'invalid'],
  ])('%s after the fact is a failed launch, of kind %s', (code, kind) => {
    expect(over(code, code).failure).toMatchObject({ kind, code })
  })

  it('does not take a running instance for a failed launch', () => {
    const StateReason = { Code: 'Server.InternalError', Message: 'x' }
    expect(toInstance(ec2({ StateReason })).failure).toBeUndefined()
  })
})

it('what was really bought decides what it is', () => {
  expect(toInstance(ec2({ InstanceLifecycle: 'spot' })).capacityType).toBe('Spot')
  expect(toInstance(ec2({ CapacityReservationId: 'cr-1' })).capacityType).toBe('Reserved')
  expect(toInstance(ec2({})).capacityType).toBe('OnDemand')
})
