import { createServer as createPlain, type RequestListener } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** The first byte of every TLS connection; no HTTP request begins with it. */
const handshake = 22

/**
 * HTTP and HTTPS on one port: some clients refuse to send a secret over plain HTTP even to a loopback address, others
 * cannot be told of a certificate.
 */
export function createEitherServer(
  certificate: Certificate,
  listener: RequestListener,
): Server & { closeAllConnections(): void } {
  const plain = createPlain(listener)
  const secure = createSecure(certificate, listener)
  // Servers that do not listen themselves keep no account of what they serve.
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // A caller that leaves before it has said a word is nobody's failure.
    socket.on('error', () => {})
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null
      if (!first) return
      socket.unshift(first)
      ;(first[0] === handshake ? secure : plain).emit('connection', socket)
    })
  })
  return Object.assign(server, {
    closeAllConnections() {
      for (const socket of sockets) socket.destroy()
    },
  })
}
