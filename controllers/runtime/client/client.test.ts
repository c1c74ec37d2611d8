import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ApiserverStub, sendJson, sendStatus, type Answer } from '../../../test/support/fakes/apiserver-stub.ts'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { until } from '../../../test/support/until.ts'
import { ApiError, isAlreadyExists, isConflict, isGone, isNotFound, isUnreachable } from './api-error.ts'
import { createClient, type KubeClient } from './client.ts'
import type { Connection } from './kubeconfig.ts'
import type { Resource } from '../../../api/meta.ts'

const machines: Resource = { group: 'x.io', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true }
const nodes: Resource = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false }
const ref = { namespace: 'ns', name: 'm1' }
const canary = 'canary-5f1c'

async function serve(
  answer: Answer,
  over: Partial<Connection> = {},
): Promise<{ stub: ApiserverStub; client: KubeClient }> {
  const stub = await ApiserverStub.start(answer)
  const client = createClient({ server: stub.url, ...over }, { userAgent: 'test/1', timeoutMs: 30_000 })
  onTestFinished(async () => {
    await client.close()
    await stub[Symbol.asyncDispose]()
  })
  return { stub, client }
}

/** What the call throws; a call that succeeds fails the test. */
async function thrownBy(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.then(
    (value) => expect.fail(`no error but ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

describe('reading', () => {
  it('gives an object as it stands, fields that nobody knows and characters of all kinds included', async () => {
    const object = { metadata: { name: 'm1' }, spec: { later: { field: [1, null, 'ünï😀'] } } }
    const { stub, client } = await serve((_, response) => sendJson(response, object), { token: () => 'secret-1' })
    expect(await client.get(machines, ref, quietCtx())).toEqual(object)
    expect(stub.requests[0]).toMatchObject({
      method: 'GET',
      path: '/apis/x.io/v1/namespaces/ns/machines/m1',
      headers: { authorization: 'Bearer secret-1', 'user-agent': 'test/1', accept: 'application/json' },
    })
  })

  it('is a line of the trace: whom it asked and how that ended, and nothing that was sent or came', async () => {
    const { client } = await serve((_, response) => sendJson(response, { metadata: { name: 'm1' }, data: canary }), {
      token: () => canary,
    })
    const log = keptLog()
    await client.mergePatch(machines, ref, { patch: { data: canary } }, quietCtx({ log }))
    const [line = ''] = log.traces
    expect(JSON.parse(line)).toEqual({
      level: 'trace',
      message: 'Asked the API server',
      request: 'PATCH /apis/x.io/v1/namespaces/ns/machines/m1',
      status: 200,
      ms: 0,
    })
    expect([...log.lines, ...log.traces].join('')).not.toContain(canary)
  })

  it('lists a page with selectors and tells of the next one', async () => {
    const { stub, client } = await serve((_, response) =>
      sendJson(response, {
        items: [{ metadata: { name: 'm1' } }],
        metadata: { resourceVersion: '7', continue: 'abc' },
      }),
    )
    const options = { namespace: 'ns', labelSelector: 'a=b,!c', fieldSelector: 'x=y', limit: 500, continue: 'token/+' }
    expect(await client.list(machines, options, quietCtx())).toEqual({
      items: [{ metadata: { name: 'm1' } }],
      resourceVersion: '7',
      continue: 'abc',
    })
    expect(stub.requests[0]?.path).toBe('/apis/x.io/v1/namespaces/ns/machines')
    expect(Object.fromEntries(stub.requests[0]?.query ?? [])).toEqual({
      labelSelector: 'a=b,!c',
      fieldSelector: 'x=y',
      limit: '500',
      continue: 'token/+',
    })
  })

  it('takes null for an empty list, and the empty token for the last page', async () => {
    const { client } = await serve((_, response) =>
      sendJson(response, { items: null, metadata: { resourceVersion: '7', continue: '' } }),
    )
    expect(await client.list(nodes, {}, quietCtx())).toEqual({ items: [], resourceVersion: '7' })
  })

  it('keeps the path of the server URL before every path', async () => {
    const stub = await ApiserverStub.start((_, response) => response.end('ok'))
    const client = createClient({ server: `${stub.url}/k8s/clusters/c-1/` }, { userAgent: 'test' })
    onTestFinished(() => client.close().then(() => stub[Symbol.asyncDispose]()))
    expect(await client.raw('/readyz', quietCtx())).toBe('ok')
    expect(stub.requests[0]?.path).toBe('/k8s/clusters/c-1/readyz')
  })

  it('asks for the token before every request', async () => {
    let tokens = 0
    const { stub, client } = await serve((_, response) => response.end('ok'), {
      token: async () => `token-${++tokens}`,
    })
    await client.raw('/readyz', quietCtx())
    await client.raw('/readyz', quietCtx())
    expect(stub.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
  })
})

describe('writing', () => {
  it('creates with kind and apiVersion, in the namespace of the object', async () => {
    const { stub, client } = await serve((request, response) => sendJson(response, JSON.parse(request.body), 201))
    const object = { metadata: { name: 'm1', namespace: 'ns' }, spec: { a: 1 } }
    expect(await client.create(machines, object, quietCtx())).toEqual({
      apiVersion: 'x.io/v1',
      kind: 'Machine',
      ...object,
    })
    expect(stub.requests[0]).toMatchObject({ method: 'POST', path: '/apis/x.io/v1/namespaces/ns/machines' })
  })

  it('merge-patches a subresource with what it is given', async () => {
    const { stub, client } = await serve((_, response) => sendJson(response, {}))
    const patch = { metadata: { resourceVersion: '41' }, status: { gone: null } }
    await client.mergePatch(machines, ref, { patch, subresource: 'status' }, quietCtx())
    expect(stub.requests[0]).toMatchObject({
      method: 'PATCH',
      path: '/apis/x.io/v1/namespaces/ns/machines/m1/status',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify(patch),
    })
  })

  it('applies under its field manager', async () => {
    const { stub, client } = await serve((_, response) => sendJson(response, {}))
    const object = { metadata: { name: 'n1', labels: { a: 'b' } } }
    await client.apply(nodes, object, { fieldManager: 'me', force: true }, quietCtx())
    expect(stub.requests[0]).toMatchObject({
      method: 'PATCH',
      path: '/api/v1/nodes/n1',
      headers: { 'content-type': 'application/apply-patch+yaml' },
    })
    expect(Object.fromEntries(stub.requests[0]?.query ?? [])).toEqual({ fieldManager: 'me', force: 'true' })
    expect(JSON.parse(stub.requests[0]?.body ?? '')).toEqual({ apiVersion: 'v1', kind: 'Node', ...object })
  })

  it('deletes only what it was told to mean', async () => {
    const { stub, client } = await serve((_, response) => sendJson(response, { kind: 'Status', status: 'Success' }))
    const options = { uid: 'u-1', resourceVersion: '3', propagationPolicy: 'Background' } as const
    await client.delete(machines, ref, options, quietCtx())
    await client.delete(machines, ref, {}, quietCtx())
    expect(stub.requests.map(({ method, body }) => [method, JSON.parse(body) as unknown])).toEqual([
      [
        'DELETE',
        {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          propagationPolicy: 'Background',
          preconditions: { uid: 'u-1', resourceVersion: '3' },
        },
      ],
      ['DELETE', { apiVersion: 'v1', kind: 'DeleteOptions' }],
    ])
  })

  it('sends nothing for a name that would lead to another object', async () => {
    const { stub, client } = await serve((_, response) => sendJson(response, {}))
    const bad = { namespace: 'ns', name: '../../secrets/other' }
    for (const call of [
      client.get(machines, bad, quietCtx()),
      client.delete(machines, bad, {}, quietCtx()),
      client.mergePatch(machines, bad, { patch: {} }, quietCtx()),
      client.apply(machines, { metadata: bad }, { fieldManager: 'me' }, quietCtx()),
      client.create(machines, { metadata: { name: 'x', namespace: '../y' } }, quietCtx()),
    ]) {
      expect((await thrownBy(call)).message).toContain('not one that Kubernetes allows')
    }
    expect(stub.requests).toEqual([])
  })
})

describe('refusals', () => {
  it.each([
    [404, 'NotFound', isNotFound],
    [409, 'Conflict', isConflict],
    [409, 'AlreadyExists', isAlreadyExists],
    [410, 'Expired', isGone],
  ])('are known as what they are: %i %s', async (code, reason, isIt) => {
    const { client } = await serve((_, response) => sendStatus(response, code, reason))
    const error = await thrownBy(client.get(machines, ref, quietCtx()))
    expect(error).toMatchObject({ status: code, reason, message: `refused as ${reason}` })
    const all = [isNotFound, isConflict, isAlreadyExists, isGone]
    expect(all.filter((is) => is(error))).toEqual([isIt])
  })

  it.each([
    ['in seconds', { 'retry-after': '7' }, {}, 7_000],
    ['as a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, {}, 9_000],
    ['in the Status', {}, { details: { retryAfterSeconds: 3 } }, 3_000],
    ['not at all', {}, {}, undefined],
    ['as nonsense', { 'retry-after': 'soon' }, {}, undefined],
  ])('carry how long to wait, given %s', async (_, headers, more, wanted) => {
    const body = { kind: 'Status', reason: 'TooManyRequests', message: 'slow', code: 429, ...more }
    const { client, stub } = await serve((_, response) => sendJson(response, body, 429, headers))
    const ctx = quietCtx({ clock: new FakeClock(Date.UTC(2026, 0, 1)) })
    expect(await thrownBy(client.get(machines, ref, ctx))).toMatchObject({ status: 429, retryAfterMs: wanted })
    expect(stub.requests).toHaveLength(1)
  })

  it('of an apply because of another manager are no reason to read again', async () => {
    const details = { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "x"', field: '.spec.a' }] }
    const body = { kind: 'Status', reason: 'Conflict', message: 'Apply failed', code: 409, details }
    const { client } = await serve((_, response) => sendJson(response, body, 409))
    const call = client.apply(nodes, { metadata: { name: 'n1' } }, { fieldManager: 'me' }, quietCtx())
    const error = await thrownBy(call)
    expect(error).toMatchObject({ status: 409, reason: 'FieldManagerConflict' })
    expect(isConflict(error)).toBe(false)
  })

  it('by something else than the API server are no statement about the object, and are not repeated', async () => {
    const { client } = await serve((_, response) => response.writeHead(404).end(`<html>${canary}</html>`))
    const error = await thrownBy(client.get(machines, ref, quietCtx()))
    expect(error).toMatchObject({ status: 404, reason: 'NoStatus' })
    expect(isNotFound(error)).toBe(false)
    expect(error.message).toContain('GET /apis/x.io/v1/namespaces/ns/machines/m1 was HTTP 404')
    expect(allOf(error)).not.toContain(canary)
  })

  it.each(['not json', '{"items":', ''])('of sense: the answer %j is garbled, and not repeated', async (start) => {
    const { client } = await serve((_, response) => response.end(`${start}${canary}`))
    const error = await thrownBy(client.list(machines, {}, quietCtx()))
    expect(error).toMatchObject({ status: 0, reason: 'Garbled' })
    expect(allOf(error)).not.toContain(canary)
  })

  it('to be a list are garbled', async () => {
    const { client } = await serve((_, response) => sendJson(response, { items: 'many' }))
    expect(await thrownBy(client.list(machines, {}, quietCtx()))).toMatchObject({ reason: 'Garbled' })
  })
})

describe('broken connections', () => {
  it('are ApiErrors of status 0 that show neither token nor body', async () => {
    const stub = await ApiserverStub.start(() => {})
    const { url } = stub
    await stub[Symbol.asyncDispose]()
    const client = createClient({ server: url, token: () => canary }, { userAgent: 'test' })
    onTestFinished(() => client.close())
    const body = { metadata: { name: 'x', namespace: 'ns' }, data: canary }
    const error = await thrownBy(client.create(machines, body, quietCtx()))
    expect(error).toMatchObject({ status: 0, reason: 'Unreachable' })
    expect(isUnreachable(error)).toBe(true)
    expect(error.message).toContain('ECONNREFUSED')
    expect(allOf(error)).not.toContain(canary)
  })

  it('in the middle of an answer are the same', async () => {
    const { client } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write(canary, () => response.destroy())
    })
    const error = await thrownBy(client.create(machines, { metadata: { name: 'x', namespace: 'ns' } }, quietCtx()))
    expect(error).toMatchObject({ status: 0, reason: 'Unreachable' })
    expect(allOf(error)).not.toContain(canary)
  })

  it('that had gone stale cost a GET nothing, and a write is not sent twice', async () => {
    const { client, stub } = await serve((request, response) => {
      const isStale = request.method !== 'GET' || stub.requests.length === 1
      if (isStale) request.socket.destroy()
      else sendJson(response, {})
    })
    expect(await client.get(machines, ref, quietCtx())).toEqual({})
    expect(stub.requests).toHaveLength(2)
    const error = await thrownBy(client.mergePatch(machines, ref, { patch: {} }, quietCtx()))
    expect(error).toMatchObject({ reason: 'Unreachable' })
    expect(stub.requests).toHaveLength(3)
  })

  it('are not tried for ever: a GET that breaks twice is an error', async () => {
    const { client, stub } = await serve((request) => request.socket.destroy())
    expect(await thrownBy(client.get(machines, ref, quietCtx()))).toMatchObject({ reason: 'Unreachable' })
    expect(stub.requests).toHaveLength(2)
  })
})

describe('time', () => {
  it('is over for a request that nobody answers', async () => {
    const clock = new FakeClock()
    const { client, stub } = await serve(() => {})
    const call = thrownBy(client.get(machines, ref, quietCtx({ clock })))
    await until(() => stub.requests.length === 1)
    await clock.advance(29_999)
    expect(clock.pending).toBe(1)
    await clock.advance(1)
    expect(await call).toMatchObject({ status: 0, reason: 'Timeout' })
    expect(clock.pending).toBe(0)
  })

  it('is over for an answer that stops halfway', async () => {
    const clock = new FakeClock()
    const { client, stub } = await serve((_, response) => void response.write('{"metadata":'))
    const call = thrownBy(client.get(machines, ref, quietCtx({ clock })))
    await until(() => stub.requests.length === 1)
    await clock.advance(30_000)
    expect(await call).toMatchObject({ reason: 'Timeout' })
  })

  it('is over when ctx ends, with the reason that it gives', async () => {
    const clock = new FakeClock()
    const stop = new AbortController()
    const { client, stub } = await serve(() => {})
    const call = client.get(machines, ref, quietCtx({ clock, signal: stop.signal }))
    await until(() => stub.requests.length === 1)
    stop.abort(new Error('going home'))
    await expect(call).rejects.toThrow('going home')
    expect(clock.pending).toBe(0)
    await expect(client.get(machines, ref, quietCtx({ clock, signal: stop.signal }))).rejects.toThrow('going home')
    expect(stub.requests).toHaveLength(1)
  })

  it('leaves nothing behind on a ctx that lives on', async () => {
    const clock = new FakeClock()
    const { signal } = new AbortController()
    const { client } = await serve((_, response) => sendJson(response, {}), { token: async () => 'token-1' })
    await client.get(machines, ref, quietCtx({ clock, signal }))
    expect(clock.pending).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('is over for a token that does not come', async () => {
    const clock = new FakeClock()
    const { client } = await serve(() => {}, { token: () => new Promise(() => {}) })
    const call = thrownBy(client.raw('/readyz', quietCtx({ clock })))
    await clock.advance(30_000)
    expect(await call).toMatchObject({ reason: 'Timeout' })
  })
})

it('says why there is no token', async () => {
  const { client } = await serve(() => {}, { token: () => Promise.reject(new Error('The token file /x is empty.')) })
  expect(await thrownBy(client.raw('/readyz', quietCtx()))).toMatchObject({
    reason: 'NoToken',
    message: 'The token file /x is empty.',
  })
})

it('breaks off what is under way when it is closed', async () => {
  const { client, stub } = await serve(() => {})
  const call = thrownBy(client.raw('/readyz', quietCtx()))
  await until(() => stub.requests.length === 1)
  await client.close()
  expect(await call).toMatchObject({ reason: 'Unreachable' })
})

/** Everything of an error that could be printed. */
function allOf(error: ApiError): string {
  return inspect(error, { depth: Infinity, showHidden: true, maxStringLength: Infinity })
}
