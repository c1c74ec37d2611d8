import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Resource } from '../../../api/meta.ts'
import { ApiserverStub, openWatch, sendJson, sendStatus } from '../../../test/support/fakes/apiserver-stub.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { createClient, type KubeClient } from './client.ts'
import { systemClock } from '../process/clock.ts'
import { observed, type RequestMade } from './observed-client.ts'

const things: Resource = { group: 'example.org', version: 'v1', plural: 'things', kind: 'Thing', namespaced: true }
const ref = { namespace: 'ns', name: 'c1' }
let stub: ApiserverStub
let client: KubeClient
let made: RequestMade[]

beforeEach(async () => {
  stub = await ApiserverStub.start((_request, response) => sendJson(response, { metadata: { name: 'c1' } }))
  made = []
  client = observed(createClient({ server: stub.url }, { userAgent: 'test' }), (request) => made.push(request))
})
afterEach(async () => {
  await client.close()
  await stub[Symbol.asyncDispose]()
})

it('tells of every kind of request that was done, and passes on what was answered', async () => {
  const ctx = quietCtx()
  expect(await client.get(things, ref, ctx)).toEqual({ metadata: { name: 'c1' } })
  await client.create(things, { metadata: ref }, ctx)
  await client.mergePatch(things, ref, { patch: {} }, ctx)
  await client.apply(things, { metadata: ref }, { fieldManager: 'test' }, ctx)
  await client.delete(things, ref, {}, ctx)
  await client.raw('/version', ctx)
  stub.answer = (_request, response) => sendJson(response, { items: [], metadata: { resourceVersion: '1' } })
  await client.list(things, {}, ctx)
  expect(made.map(({ verb, error }) => [verb, error])).toEqual(
    ['get', 'create', 'patch', 'apply', 'delete', 'raw', 'list'].map((verb) => [verb, undefined]),
  )
})

it('tells of a refusal and throws it on', async () => {
  stub.answer = (_request, response) => sendStatus(response, 409, 'Conflict')
  await expect(client.mergePatch(things, ref, { patch: {} }, quietCtx())).rejects.toThrow(/Conflict/)
  expect(made).toMatchObject([{ verb: 'patch', error: { status: 409 } }])
})

it('tells when a request began and how long it took', async () => {
  const ctx = quietCtx({ clock: systemClock })
  const before = systemClock.monotonic()
  await client.get(things, ref, ctx)
  const [request] = made
  expect(request?.begunAt).toBeGreaterThanOrEqual(before)
  expect((request?.begunAt ?? 0) + (request?.ms ?? 0)).toBeLessThanOrEqual(systemClock.monotonic())
})

it('tells of a watch once, when it is accepted', async () => {
  stub.answer = (_request, response) => {
    const send = openWatch(response)
    send('BOOKMARK', { metadata: { resourceVersion: '2' } })
    response.end()
  }
  let opened = 0
  const options = { resourceVersion: '1', onOpen: () => void opened++ }
  for await (const { type } of client.watch(things, options, quietCtx())) expect(type).toBe('BOOKMARK')
  expect(opened).toBe(1)
  expect(made.map(({ verb, error }) => [verb, error])).toEqual([['watch', undefined]])
})

it('tells of a watch that was refused', async () => {
  stub.answer = (_request, response) => sendStatus(response, 410, 'Expired')
  const watch = client.watch(things, { resourceVersion: '1' }, quietCtx())
  await expect(watch[Symbol.asyncIterator]().next()).rejects.toThrow(/Expired/)
  expect(made).toMatchObject([{ verb: 'watch', error: { status: 410 } }])
})

it('says nothing of a request that our own signal ended', async () => {
  const asked = Promise.withResolvers<void>()
  stub.answer = () => asked.resolve()
  const stop = new AbortController()
  const answer = client.get(things, ref, quietCtx({ signal: stop.signal }))
  await asked.promise
  stop.abort(new Error('over'))
  await expect(answer).rejects.toThrow('over')
  expect(made).toEqual([])
})
