import fc from 'fast-check'
import { expect, it } from 'vitest'
import { redact } from './redact.ts'

const secret = Buffer.from('#cloud-config\n# a token that nobody may see').toString('base64')

it('hides a secret, whole or in part, and nothing else', () => {
  expect(redact(`The value '${secret}' is invalid.`, secret)).toBe("The value '…' is invalid.")
  expect(redact(`x=${secret.slice(7, 40)} y=${secret.slice(0, 20)}`, secret)).toBe('x=… y=…')
  expect(redact('The value is invalid.', secret)).toBe('The value is invalid.')
  expect(redact(secret, secret)).toBe('…')
  expect(redact('as it is', '')).toBe('as it is')
})

it('leaves no sixteen characters of it, whatever stands around', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(secret.length), fc.nat(secret.length), fc.string(), (before, from, to, after) => {
      const told = redact(before + secret.slice(from, to) + after, secret)
      const windows = Array.from({ length: Math.max(0, told.length - 15) }, (_, at) => told.slice(at, at + 16))
      return windows.every((part) => !secret.includes(part))
    }),
  )
})
