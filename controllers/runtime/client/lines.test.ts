import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lines } from './lines.ts'

it('gives the same lines wherever the bytes are cut', async () => {
  // Characters of one to four bytes.
  const line = fc.string({ unit: fc.constantFrom('a', '"', '\r', 'é', '€', '\u{feff}', '😀') })
  const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), sizes, async (wanted, sizes) => {
      const bytes = Buffer.from(wanted.map((text) => `${text}\n`).join(''))
      const got: string[] = []
      for await (const text of lines(cut(bytes, sizes))) got.push(text)
      expect(got).toEqual(wanted)
    }),
  )
})

it('gives what stands after the last newline', async () => {
  const got: string[] = []
  for await (const text of lines(cut(Buffer.from('a\nb'), [1]))) got.push(text)
  expect(got).toEqual(['a', 'b'])
})

it('takes a line of ten megabytes in small chunks', async () => {
  const size = 10 * 1024 * 1024
  const got: number[] = []
  for await (const text of lines(cut(Buffer.from(`${'x'.repeat(size)}\nend\n`), [16_384]))) got.push(text.length)
  expect(got).toEqual([size, 3])
})

it('gives up on a line without an end', async () => {
  async function* endless() {
    for (;;) yield Buffer.alloc(1024 * 1024, 'x')
  }
  await expect(lines(endless()).next()).rejects.toThrow('A line of the answer has no end')
})

it('gives up sooner on a line that is longer than the caller allows', async () => {
  const line = (chars: number) => lines(cut(Buffer.from(`${'x'.repeat(chars)}\n`), [10]), 100).next()
  expect((await line(100)).value).toHaveLength(100)
  await expect(line(111)).rejects.toThrow('A line of the answer has no end')
})

/** Pieces of the given sizes, over and over. */
async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}
