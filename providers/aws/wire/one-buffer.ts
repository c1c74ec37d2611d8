import type { OnReadOpts, Socket } from 'node:net'

/** As Node reads by itself. */
const atOnceBytes = 65_536

/**
 * Options of an agent for large answers: all its sockets read into one buffer. Otherwise Node makes one for each part
 * that comes, and V8 gives them back when there are some 64 MB of them.
 */
export function intoOneBuffer(): { readonly onread: OnReadOpts } {
  const buffer = Buffer.allocUnsafeSlow(atOnceBytes)
  // The parser of HTTP listens, and copies what it passes on before it returns.
  const callback = function (this: Socket, bytes: number) {
    return this.emit('data', buffer.subarray(0, bytes))
  }
  return { onread: { buffer, callback } }
}
