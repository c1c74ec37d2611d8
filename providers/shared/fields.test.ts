import { expect, it } from 'vitest'
import { CloudError, type CloudErrorOptions } from '../../api/cloud-error.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import { fieldsOf, naming, ofSpecs } from './fields.ts'

const machine = fieldsOf('AWSMachine')
const named = naming({
  kinds: ofSpecs,
  byCode: { NoSuchKey: machine('sshKeyName') },
  byMessage: [
    [/disk size/, machine('rootVolume')],
    [/size/, machine('instanceType', 'ami')],
  ],
})

const told = (kind: RefusalKind, options: CloudErrorOptions) => named(new CloudError(kind, options)).message

it('puts the fields before the cloud’s words: by its code, else by the first of its words', () => {
  expect(told('invalid', { code: 'NoSuchKey', message: 'No such size.' })).toBe(
    'spec.sshKeyName of the AWSMachine: No such size.',
  )
  expect(told('price', { code: 'Bad', message: 'A bad disk size.' })).toMatch(/^spec\.rootVolume of the AWSMachine: /)
  expect(told('reservation', { code: 'Bad', message: 'A bad size.' })).toBe(
    'spec.instanceType, spec.ami of the AWSMachine: A bad size.',
  )
})

it('keeps what else the refusal says', () => {
  const error = new CloudError('invalid', { code: 'NoSuchKey', message: 'No.', retryAfterMs: 7 })
  expect(named(error)).toMatchObject({ kind: 'invalid', code: 'NoSuchKey', retryAfterMs: 7, cause: error })
})

it.each<[RefusalKind, string, string]>([
  ['invalid', 'Bad', 'Something is wrong.'],
  ['invalid', 'Bad', 'spec.image of the IBMMachine: a bad size; correct it.'],
  ['invalid', 'constructor', 'Something is wrong.'],
  ['capacity', 'NoSuchKey', 'We have no machines of this size.'],
  ['denied', 'Bad', 'You may not ask for this size.'],
])('leaves alone what is not about the spec, has no name or has one already: %s %s: %s', (kind, code, message) => {
  const error = new CloudError(kind, { code, message })
  expect(named(error)).toBe(error)
})
