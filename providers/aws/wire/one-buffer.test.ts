import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { intoOneBuffer } from './one-buffer.ts'

it('sockets read answers into the same memory, at the same time and one after the other', async () => {
  const server = createServer(({ url = '' }, response) => response.end(url.at(-1)?.repeat(1_000_000)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, ...intoOneBuffer() })
  const memory = new Set<ArrayBufferLike>()
  let [parts, again] = [0, 0]
  const answerTo = async (path: string) => {
    const request = get({ host: '127.0.0.1', port, agent, path })
    const note = ({ buffer }: Uint8Array) => {
      parts += 1
      memory.add(buffer)
    }
    request.on('socket', (socket) => {
      if (request.reusedSocket) again += 1
      else socket.on('data', note)
    })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    return text(answer)
  }
  try {
    for (const _ of [1, 2]) {
      const letters = ['a', 'b', 'c']
      const answers = await Promise.all(letters.map((letter) => answerTo(`/${letter}`)))
      expect(answers).toEqual(letters.map((letter) => letter.repeat(1_000_000)))
    }
    expect(again, 'requests on a socket that has had an answer').toBe(3)
    expect(parts).toBeGreaterThan(6)
    expect(memory.size).toBe(1)
  } finally {
    agent.destroy()
    server.close()
  }
})
