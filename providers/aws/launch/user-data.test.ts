import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { encodeUserData } from './user-data.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const decoded = (encoded: string) => Buffer.from(encoded, 'base64')

function refusal(data: Uint8Array, compress: boolean): CloudError {
  try {
    encodeUserData(data, compress)
  } catch (thrown) {
    if (thrown instanceof CloudError) return thrown
  }
  throw new Error('The user data was not refused')
}

describe('user data', () => {
  it('up to 16 KB goes as it is, counted before base64', () => {
    const most = bytes('x'.repeat(16_384))
    expect(decoded(encodeUserData(most, false))).toEqual(Buffer.from(most))
  })

  it('above that is refused with what to do, and shows nothing of itself', () => {
    const { kind, code, message } = refusal(bytes('canary '.repeat(3_000)), false)
    expect({ kind, code }).toEqual({ kind: 'invalid', code: 'UserDataTooLarge' })
    expect(message).toBe(
      'The bootstrap data has 21000 bytes, but EC2 accepts at most 16384 as user data. ' +
        'Set spec.uncompressedUserData of the AWSMachine to false to compress it.',
    )
  })

  it('is compressed when asked, to the same bytes each time, and then may be larger', () => {
    const large = bytes('line\n'.repeat(10_000))
    const encoded = encodeUserData(large, true)
    expect(gunzipSync(decoded(encoded))).toEqual(Buffer.from(large))
    expect(encodeUserData(large, true)).toBe(encoded)
  })

  it('that is too large even so says that', () => {
    // A first byte of chance may be a brace, with which Ignition begins.
    const { message } = refusal(Buffer.concat([Buffer.of(0), randomBytes(17_000)]), true)
    expect(message).toMatch(/^The bootstrap data has \d+ bytes even when compressed, but EC2 accepts at most 16384/)
    expect(message).toMatch(/Make it smaller/)
  })

  it('of Ignition is never compressed: nothing would unpack it', () => {
    const ignition = bytes(' \n{"ignition":{"version":"3.4.0"}}')
    expect(decoded(encodeUserData(ignition, true))).toEqual(Buffer.from(ignition))
    expect(refusal(bytes(`{${' '.repeat(17_000)}}`), true).message).not.toMatch(/compress/)
  })
})
