import { describe, expect, it } from 'vitest'
import { encodeUserData } from './user-data.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('bootstrap data', () => {
  it('goes as it is', () => {
    expect(encodeUserData(bytes('#cloud-config\n# ü'))).toBe('#cloud-config\n# ü')
  })

  it('that is no text is refused, and not shown', () => {
    const gzip = Uint8Array.from([0x1f, 0x8b, 0x08, 0x00, 0xff])
    expect(() => encodeUserData(gzip)).toThrow('The bootstrap data is not UTF-8 text')
  })

  it('may have 262,144 characters and not one more', () => {
    expect(encodeUserData(bytes('x'.repeat(262_144)))).toHaveLength(262_144)
    expect(() => encodeUserData(bytes('x'.repeat(262_145)))).toThrow(
      'has 262145 characters, but GCE accepts at most 262144',
    )
  })
})
