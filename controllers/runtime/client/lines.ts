import { ApiError } from './api-error.ts'

/** An object may have 1.5 MiB in etcd. JSON and managedFields make it several times as large. */
const defaultMaxChars = 32 * 1024 * 1024

/**
 * Splits a byte stream into lines, wherever the chunks end: in the middle of a line or of a character. The rest after
 * the last newline is a line too. Each chunk is searched once, so a line of many chunks costs no more.
 */
export async function* lines(
  chunks: AsyncIterable<Uint8Array>,
  maxChars: number = defaultMaxChars,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let parts: string[] = []
  let held = 0
  const take = (last: string) => {
    const line = parts.length === 0 ? last : parts.join('') + last
    parts = []
    held = 0
    return line
  }
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      yield take(text.slice(start, end))
      start = end + 1
    }
    if (start < text.length) parts.push(text.slice(start))
    held += text.length - start
    if (held > maxChars) {
      throw new ApiError({ status: 0, reason: 'Garbled', message: 'A line of the answer has no end.' })
    }
  }
  const rest = take(decoder.decode())
  if (rest !== '') yield rest
}
