import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A port of 127.0.0.1 that was free a moment ago. It may be taken again when the caller uses it. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Connections get ports from 32768 up, and many programs use ports below 20000. */
const steady = { from: 20_000, count: 12_000 }

/**
 * The same for a server that will come back on it. While it is down, no connection gets the port by chance, and no
 * client that retries connects to itself.
 */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = steady.from + Math.floor(Math.random() * steady.count)
    const free = await freePort(port).catch(() => undefined)
    if (free !== undefined) return free
  }
}
