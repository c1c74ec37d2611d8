import { expect, it } from 'vitest'
import { nobodysKey } from './ssh-key.ts'

it('a key of nobody is a well-formed public key, and another one each time', () => {
  const [key, other] = [nobodysKey(), nobodysKey()]
  expect(key).toMatch(/^ssh-ed25519 [A-Za-z0-9+/]+={0,2}$/)
  const blob = Buffer.from(key.split(' ')[1] ?? '', 'base64')
  expect(blob.readUInt32BE(0)).toBe(11)
  expect(blob.subarray(4, 15).toString()).toBe('ssh-ed25519')
  expect(blob.readUInt32BE(15)).toBe(32)
  expect(blob).toHaveLength(51)
  expect(other).not.toBe(key)
})
