import { describe, expect, it } from 'vitest'
import { encodeUserData } from './user-data.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('user data', () => {
  it('goes as it is, with every letter and tag in it', () => {
    const text = '\uFEFF#cloud-config\n# ä € 😀\n'
    expect(encodeUserData(bytes(text))).toBe(text)
  })

  it('may have 64 KB, counted in bytes', () => {
    expect(encodeUserData(bytes('x'.repeat(65_536)))).toHaveLength(65_536)
    expect(() => encodeUserData(bytes('x'.repeat(65_537)))).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'UserDataTooLarge' }),
    )
    expect(() => encodeUserData(bytes('€'.repeat(22_000)))).toThrow('has 66000 bytes')
  })

  it('that is no text is refused, and not shown', () => {
    const packed = new Uint8Array([0x1f, 0x8b, 0x08, 0x00, 0xff])
    expect(() => encodeUserData(packed)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'UserDataNotText' }))
  })
})
