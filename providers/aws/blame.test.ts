import { expect, it } from 'vitest'
import { CloudError, type ErrorKind } from '../errors.ts'
import { blamed } from './blame.ts'

const refusal = (kind: ErrorKind, code: string, message: string) => new CloudError(kind, { code, message })

it.each([
  ['InvalidAMIID.NotFound', 'The image id does not exist', 'spec.ami.id of the AWSMachine: The image'],
  ['InvalidKeyPair.NotFound', "The key pair 'lost' does not exist", 'spec.sshKeyName of the AWSMachine or of the'],
  [
    'InvalidParameterValue',
    "The architecture 'arm64' of the specified instance type",
    'spec.instanceType and spec.ami',
  ],
  ['InvalidParameterValue', 'Invalid IAM Instance Profile name', 'spec.iamInstanceProfile of the AWSMachine'],
  ['InvalidParameterValue', "iops '100000' must not exceed", 'spec.rootVolume or spec.nonRootVolumes'],
])('names the field of %s: %s', (code, message, says) => {
  const error = blamed(refusal('invalid', code, message))
  expect(error).toMatchObject({ kind: 'invalid', code })
  expect(error.message).toContain(says)
  expect(error.message).toContain(message)
})

it('leaves alone what is no fault of a field, and what it does not understand', () => {
  for (const error of [
    refusal('capacity', 'InsufficientInstanceCapacity', 'no capacity for the instance type'),
    refusal('ambiguous', 'InternalError', 'volume'),
    refusal('invalid', 'InvalidParameterValue', 'something else'),
    refusal('invalid', 'constructor', 'something else'),
  ]) {
    expect(blamed(error)).toBe(error)
  }
})
