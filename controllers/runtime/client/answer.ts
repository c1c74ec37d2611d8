import { ApiError } from './api-error.ts'

/** The most that an answer may have by default. A page of a list that is larger is requested in halves. */
export const maxAnswerBytes = 8 * 1024 * 1024

/** A Status has a few hundred bytes. */
export const maxRefusalBytes = 64 * 1024

/** Reads the text of an answer. It stops at the limit while the answer arrives, so an answer never fills our memory. */
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
