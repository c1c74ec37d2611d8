import { getEventListeners } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ApiserverStub, sendJson, sendStatus } from '../../../test/support/fakes/apiserver-stub.ts'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { until } from '../../../test/support/until.ts'
import { isAlreadyExists, isConflict, isGone, isNotFound, isUnreachable } from './api-error.ts'
import { createClient } from './client.ts'
import { allOf, canary, machines, nodes, ref, serve, thrownBy } from '../../../test/support/worlds/client-world.ts'

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
