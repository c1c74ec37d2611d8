import { ApiError } from './api-error.ts'

/** What an answer may have unless the client says otherwise: a page of a list, which is then asked for in halves. */
export const maxAnswerBytes = 8 * 1024 * 1024

/** A Status has a few hundred bytes. */
export const maxRefusalBytes = 64 * 1024

/** The text of an answer. One that is longer is cut off while it comes, so that it never fills our memory. */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, what }: { maxBytes: number; what: string },
): Promise<string> {
  const chunks: Uint8Array[] = []
  let held = 0
  // Leaving the loop early closes the connection.
  for await (const chunk of body) {
    held += chunk.byteLength
    if (held > maxBytes) {
      const message = `The answer to ${what} is larger than ${maxBytes / 1024} KiB.`
      throw new ApiError({ status: 0, reason: 'TooLarge', message })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, held).toString('utf8')
}
