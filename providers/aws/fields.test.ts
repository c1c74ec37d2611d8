import { expect, it } from 'vitest'
import { CloudError, type ErrorKind } from '../errors.ts'
import { withFields } from './fields.ts'

const said = (kind: ErrorKind, code: string, message: string) => withFields(new CloudError(kind, { code, message }))

it.each<[code: string, message: string, field: string]>([
  ['InvalidKeyPair.NotFound', "The key pair 'lost' does not exist", 'spec.sshKeyName'],
  [
    'InvalidParameterValue',
    'Value (nobody) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name',
    'spec.iamInstanceProfile',
  ],
  ['InvalidParameterValue', "Invalid value 'm5.humongous' for InstanceType.", 'spec.instanceType'],
  [
    'InvalidParameterValue',
    "The architecture 'arm64' of the specified instance type does not match the architecture 'x86_64' of the specified AMI.",
    'spec.instanceType, spec.ami',
  ],
  ['InvalidParameterCombination', 'The parameter iops is not supported for gp2 volumes.', 'spec.rootVolume'],
])('%s: %s', (code, message, field) => {
  const error = said('invalid', code, message)
  expect(error).toMatchObject({ kind: 'invalid', code })
  expect(error.message).toMatch(new RegExp(`^${field}\\b.* of the AWSMachine.*: `))
  expect(error.message.endsWith(message)).toBe(true)
})

it('leaves alone what names no field, and what is not about the spec', () => {
  expect(said('invalid', 'InvalidParameterValue', 'Something is wrong.').message).toBe('Something is wrong.')
  const noCapacity = 'We have no m5.large capacity in the subnet you asked for.'
  expect(said('capacity', 'InsufficientInstanceCapacity', noCapacity).message).toBe(noCapacity)
})
