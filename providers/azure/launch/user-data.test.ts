import { expect, it } from 'vitest'
import { encodeUserData } from './user-data.ts'

it('goes in base64, as many bytes as Azure takes', () => {
  expect(encodeUserData(new TextEncoder().encode('#cloud-config\n'))).toBe('I2Nsb3VkLWNvbmZpZwo=')
  expect(Buffer.from(encodeUserData(new Uint8Array(65_535)), 'base64')).toHaveLength(65_535)
})

it('is refused beyond, without a word of it', () => {
  const data = new TextEncoder().encode('canary'.repeat(11_000))
  expect(() => encodeUserData(data)).toThrow('The bootstrap data has 66000 bytes, but Azure accepts at most 65535')
  expect(() => encodeUserData(data)).not.toThrow(/canary/)
})
