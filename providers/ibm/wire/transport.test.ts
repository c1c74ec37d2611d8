import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NoReply, Transport, type Request } from './transport.ts'
import { thrownBy } from '../../../test/support/thrown-by.ts'

let server: Server
let url: string
let asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
let answer: (response: ServerResponse) => void

beforeEach(async () => {
  asked = []
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterEach(async () => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function send(request: Partial<Request> = {}, timeoutMs = 5_000): ReturnType<Transport['send']> {
  const usual = { method: 'GET', path: ['instances'], signal: new AbortController().signal } as const
  return new Transport({ url, isLocal: true }, timeoutMs).send({ ...usual, ...request })
}

function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

describe('a call', () => {
  it('carries its parameters, headers and body, and nothing that is not said', async () => {
    answer = json(201, { id: 'x' })
    const reply = await send({
      method: 'POST',
      query: { version: '2026-08-04', start: undefined },
      headers: { Authorization: 'Bearer t' },
      json: { user_data: '{id} $& €' },
    })
    expect(reply).toMatchObject({ status: 201, body: { id: 'x' } })
    expect(asked).toMatchObject([
      { method: 'POST', url: '/v1/instances?version=2026-08-04', body: '{"user_data":"{id} $& €"}' },
    ])
    expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer t', 'content-type': 'application/json' })
  })

  it('has an id in its path as one step of it, whatever stands in it', async () => {
    answer = json(404, {})
    await send({ path: ['instances', '{id} $&'] })
    expect(asked[0]?.url).toBe('/v1/instances/%7Bid%7D%20%24%26')
    asked.length = 0
    for (const id of ['../keys?x=1', '..', '', 'a/b']) {
      await expect(send({ path: ['instances', id] })).rejects.toMatchObject({ kind: 'invalid', code: 'InvalidPath' })
    }
    expect(asked).toEqual([])
  })

  it('goes to loopback by itself, whatever proxies are set', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9')
    vi.stubEnv('http_proxy', 'http://127.0.0.1:9')
    answer = json(200, {})
    await expect(send()).resolves.toMatchObject({ status: 200 })
  })
})

describe('an answer', () => {
  it.each([204, 202, 302, 400, 401, 403, 404, 409, 429, 500, 503])(
    'HTTP %s is one, and is not asked for again',
    async (status) => {
      answer = json(status, { errors: [] }, { location: 'http://127.0.0.1:9/', 'retry-after': '1' })
      const reply = await send({ method: 'POST', json: {} })
      expect(reply.status).toBe(status)
      expect(asked).toHaveLength(1)
    },
  )

  it('that is no JSON has a status all the same', async () => {
    answer = json(200, undefined)
    expect(await send()).toMatchObject({ status: 200, body: undefined })
    answer = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>')
    expect(await send()).toMatchObject({ status: 502, body: undefined })
    answer = (response) => response.writeHead(400, { 'content-type': 'application/json' }).end('{"errors":')
    expect(await send()).toMatchObject({ status: 400, body: undefined })
  })
})

describe('no answer', () => {
  it('where the connection ends before it or within it, after one try', async () => {
    answer = (response) => response.destroy()
    expect(await thrownBy(send({ method: 'POST', json: {} }))).toMatchObject({ name: 'NoReply', code: 'ECONNRESET' })
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"instances":', () => response.destroy())
    }
    const cut = await thrownBy(send())
    expect(cut).toBeInstanceOf(NoReply)
    expect((cut as NoReply).code).not.toBe('OK')
    expect(asked).toHaveLength(2)
  })

  it('where it takes too long, or we give up', async () => {
    answer = () => {}
    expect(await thrownBy(send({}, 50))).toMatchObject({ name: 'NoReply', code: 'ECONNABORTED' })
    const stop = new AbortController()
    const call = thrownBy(send({ signal: stop.signal }))
    await expect.poll(() => asked).toHaveLength(2)
    stop.abort(new Error('stopped'))
    expect(await call).toMatchObject({ name: 'NoReply', code: 'ERR_CANCELED' })
  })

  it('shows nothing of what was sent', async () => {
    answer = (response) => response.destroy()
    const error = await thrownBy(
      send({ method: 'POST', json: { user_data: 'canary' }, headers: { Authorization: 'canary' } }),
    )
    expect(JSON.stringify([error, String((error as Error).stack), (error as Error).cause])).not.toContain('canary')
  })
})
