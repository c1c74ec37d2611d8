import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { agentClock } from './clock.ts'
import { request } from './request.ts'

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const ctx = quietCtx({ clock: agentClock })
const usual = { headers: {}, timeoutMs: 5_000 }

test('sends method, headers and body, and answers with status, headers and body', async () => {
  const url = await serving((incoming, outgoing) => {
    outgoing.writeHead(201, { etag: 'e1' })
    outgoing.write(`${incoming.method} ${incoming.url} ${String(incoming.headers['x-one'])} `)
    incoming.pipe(outgoing)
  })
  const call = {
    method: 'PATCH',
    url: `${url}/a?b=c`,
    headers: { 'x-one': '1' },
    body: 'body',
    timeoutMs: 5_000,
  } as const
  const { status, headers, body } = await request(call, ctx)
  expect({ status, etag: headers['etag'], body }).toEqual({ status: 201, etag: 'e1', body: 'PATCH /a?b=c 1 body' })
})

test('a redirect is an answer: it is not followed', async () => {
  const url = await serving((_, outgoing) => outgoing.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
  expect((await request({ url, ...usual }, ctx)).status).toBe(302)
})

test('an answer that is too long is not read', async () => {
  const url = await serving((_, outgoing) => outgoing.end('x'.repeat(70_000)))
  await expect(request({ url, ...usual }, ctx)).rejects.toThrow('The answer has more than 65536 bytes.')
  expect((await request({ url, ...usual, mostBytes: 70_000 }, ctx)).body).toHaveLength(70_000)
})

test.each<[string, RequestListener]>([
  ['no answer', () => {}],
  ['half an answer', (_, outgoing) => void outgoing.writeHead(200, { 'content-length': 10 }).write('half')],
])('%s: it ends after its time', async (_, listener) => {
  const url = await serving(listener)
  await expect(request({ url, headers: {}, timeoutMs: 100 }, ctx)).rejects.toThrow('There was no answer within 100 ms.')
})

test('a connection that ends early is a failure', async () => {
  const url = await serving((_, outgoing) => {
    outgoing.writeHead(200, { 'content-length': 10 }).write('half', () => outgoing.destroy())
  })
  await expect(request({ url, ...usual }, ctx)).rejects.toThrow('aborted')
})
