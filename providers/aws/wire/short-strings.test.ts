import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withShortStrings } from './short-strings.ts'

/** In chunks of these lengths, over and over. */
async function* inChunks(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let [at, turn] = [0, 0]; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    // Each has memory of its own, as those of a socket have.
    yield new Uint8Array(bytes.subarray(at, at + length))
    at += length
  }
}

const read = async (json: string, most: number, lengths: readonly number[] = [7]) =>
  Buffer.from(await withShortStrings(Readable.from(inChunks(Buffer.from(json), lengths)), most)).toString()

describe('a string', () => {
  it('with so many bytes stays', async () => {
    expect(await read('{"a":"12345","b":1}', 5)).toBe('{"a":"12345","b":1}')
  })

  it('with one more comes empty, and what stands beside it stays', async () => {
    expect(await read('["x",{"a":"123456","b":"12345"},"123456",7]', 5)).toBe('["x",{"a":"","b":"12345"},"",7]')
  })

  it('does not end with a quote that is escaped, and ends after a backslash that is', async () => {
    expect(await read(String.raw`["1\"3456","1\\","\\\"","\"\"\"",5]`, 4)).toBe(String.raw`["","1\\","\\\"","",5]`)
  })
})

it('is the same JSON, but for strings that are too long', async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.nat(12), lengths, async (value, most, some) => {
      const shortened = (text: string) => (Buffer.byteLength(JSON.stringify(text)) - 2 > most ? '' : text)
      const expected = JSON.stringify(value).replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
        JSON.stringify(shortened(JSON.parse(text) as string)),
      )
      expect(await read(JSON.stringify(value), most, some)).toBe(expected)
    }),
  )
})

it.each([undefined, new Error('reset')])(
  'an answer that ends too early is a failure, with the reason %s',
  async (why) => {
    const from = new Readable({ read: () => {} })
    from.push('["1')
    const collected = withShortStrings(from, 5)
    from.destroy(why)
    await expect(collected).rejects.toThrow(why?.message ?? 'The answer ended too early.')
  },
)

it('gives back the memory of what it has read, and keeps no more than what it returns needs', async () => {
  const text = 'x'.repeat(1_048_576)
  const chunks: Uint8Array[] = []
  let most = 0
  async function* noted() {
    for await (const chunk of inChunks(Buffer.from(JSON.stringify([text, text, text])), [65_536])) {
      chunks.push(chunk)
      yield chunk
      most = Math.max(
        most,
        chunks.reduce((sum, { byteLength }) => sum + byteLength, 0),
      )
    }
  }
  const bytes = await withShortStrings(Readable.from(noted()), 500_000)
  expect(Buffer.from(bytes).toString()).toBe('["","",""]')
  expect(most, 'of the chunks').toBe(0)
  expect(bytes.buffer.byteLength).toBe(bytes.length)
})
