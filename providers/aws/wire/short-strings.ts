import type { Readable } from 'node:stream'

const quote = 0x22
const backslash = 0x5c

/**
 * Collects JSON in which strangers have written the strings. A string with more bytes than `most`, as it stands there,
 * comes empty. So it is never in memory as a whole, and its reader still gets all else.
 */
export function withShortStrings(from: Readable, most: number): Promise<Uint8Array> {
  const json = new ShortStrings(most)
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  // An iterator would join the chunks that have come, and leave them behind. A pipeline has a hundred objects, which
  // live as long as the answer takes: V8 moves them to its old generation.
  from.on('data', (chunk: Uint8Array) => {
    json.take(chunk)
    release(chunk)
  })
  from.once('end', () => resolve(json.end()))
  from.once('error', reject)
  from.once('close', () => {
    if (!from.readableEnded) reject(new Error('The answer ended too early.'))
  })
  return promise
}

/** A chunk may end anywhere, even within an escape. */
class ShortStrings {
  readonly #most: number
  #kept = new Uint8Array()
  #end = 0
  #isInString = false
  #isEscaped = false
  /** Of the present string. */
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  take(chunk: Uint8Array): void {
    const needed = this.#end + chunk.length
    if (needed > this.#kept.length) this.#resize(Math.max(needed, 2 * this.#kept.length))
    for (const byte of chunk) {
      if (this.#endsOrBegins(byte)) this.#length = 0
      else if (this.#isInString && ++this.#length > this.#most) {
        // The part that was kept goes too.
        if (this.#length === this.#most + 1) this.#end -= this.#most
        continue
      }
      this.#kept[this.#end++] = byte
    }
  }

  /** Without the room for more. */
  end(): Uint8Array {
    this.#resize(this.#end)
    return this.#kept
  }

  /** Whether the byte is a quote that a string begins or ends with. */
  #endsOrBegins(byte: number): boolean {
    const isEscaped = this.#isEscaped
    this.#isEscaped = byte === backslash && !isEscaped
    if (byte !== quote || isEscaped) return false
    this.#isInString = !this.#isInString
    return true
  }

  #resize(bytes: number): void {
    this.#kept = new Uint8Array(this.#kept.buffer.transfer(bytes))
  }
}

/** Gives the memory back at once. V8 does that when there are some 64 MB of it (measured with Node 24). */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
