import { describe, expect, it, onTestFinished } from 'vitest'
import {
  ApiserverStub,
  openWatch,
  sendStatus,
  statusOf,
  type Answer,
} from '../../../test/support/fakes/apiserver-stub.ts'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { turn, until } from '../../../test/support/until.ts'
import type { ApiError } from './api-error.ts'
import { createClient, type ClientOptions, type KubeClient, type WatchEvent, type WatchOptions } from './client.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'

const machines: Resource = { group: 'x.io', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true }
const machine = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } })

async function serve(
  answer: Answer,
  more: Partial<ClientOptions> = {},
): Promise<{ stub: ApiserverStub; client: KubeClient }> {
  const stub = await ApiserverStub.start(answer)
  const client = createClient({ server: stub.url }, { userAgent: 'test', ...more })
  onTestFinished(async () => {
    await client.close()
    await stub[Symbol.asyncDispose]()
  })
  return { stub, client }
}

/** All events, and how the watch ended. */
function follow(client: KubeClient, options: Partial<WatchOptions> = {}, ctx = quietCtx()) {
  const events: WatchEvent<KubeObject>[] = []
  const run = async () => {
    try {
      for await (const event of client.watch(machines, { resourceVersion: '5', ...options }, ctx)) events.push(event)
      return undefined
    } catch (error) {
      return error as ApiError
    }
  }
  return { events, ended: run() }
}

describe('a watch', () => {
  it('asks for bookmarks from a version on, and ends when the server ends it', async () => {
    const opened: string[] = []
    const { client, stub } = await serve((_, response) => {
      const send = openWatch(response)
      send('ADDED', machine('a', '6'))
      send('MODIFIED', machine('a', '7'))
      send('BOOKMARK', { metadata: { resourceVersion: '9' } })
      send('DELETED', machine('a', '10'))
      response.end()
    })
    const options = { namespace: 'ns', labelSelector: 'a=b', timeoutSeconds: 300, onOpen: () => opened.push('open') }
    const { events, ended } = follow(client, options)
    expect(await ended).toBeUndefined()
    expect(events.map(({ type, object }) => `${type} ${object.metadata.resourceVersion}`)).toEqual([
      'ADDED 6',
      'MODIFIED 7',
      'BOOKMARK 9',
      'DELETED 10',
    ])
    expect(stub.requests[0]?.path).toBe('/apis/x.io/v1/namespaces/ns/machines')
    expect(Object.fromEntries(stub.requests[0]?.query ?? [])).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '5',
      labelSelector: 'a=b',
      timeoutSeconds: '300',
    })
    expect(opened).toEqual(['open'])
  })

  it('puts together lines and characters that come in pieces', async () => {
    const line = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: machine('grüße-😀', '6') })}\n`)
    const { client } = await serve((_, response) => {
      openWatch(response)
      const send = async () => {
        for (const byte of line) {
          response.write(Buffer.from([byte]))
          await turn()
        }
        response.end()
      }
      void send()
    })
    const { events, ended } = follow(client)
    expect(await ended).toBeUndefined()
    expect(events).toEqual([{ type: 'ADDED', object: machine('grüße-😀', '6') }])
  })

  it.each([
    ['an ERROR event', (answer: Parameters<Answer>[1]) => openWatch(answer)('ERROR', statusOf(410, 'Expired'))],
    ['its HTTP status', (answer: Parameters<Answer>[1]) => sendStatus(answer, 410, 'Expired')],
  ])('whose version is too old fails with 410 by %s', async (_, refuse) => {
    const { client } = await serve((_, response) => {
      refuse(response)
      response.end()
    })
    const { ended } = follow(client)
    expect(await ended).toMatchObject({ name: 'ApiError', status: 410, reason: 'Expired' })
  })

  it.each([
    ['half a line', '{"type":"ADDED","obj'],
    ['no JSON', 'canary-5f1c\n'],
    ['no event', '{"type":"ADDED"}\n'],
    ['null', 'null\n'],
    ['an unknown type', `${JSON.stringify({ type: 'RENAMED', object: machine('a', '6') })}\n`],
    ['an object without a version', '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n'],
  ])('that holds %s fails as garbled and keeps what came before', async (_, text) => {
    const { client } = await serve((_, response) => {
      openWatch(response)('ADDED', machine('a', '6'))
      response.end(text)
    })
    const { events, ended } = follow(client)
    const error = await ended
    expect(error).toMatchObject({ name: 'ApiError', status: 0, reason: 'Garbled' })
    expect(`${error?.message}${error?.stack}`).not.toContain('canary')
    expect(error?.cause).toBeUndefined()
    expect(events).toHaveLength(1)
  })

  it('that is reset in the middle of a line fails as unreachable', async () => {
    const { client } = await serve((_, response) => {
      openWatch(response)('ADDED', machine('a', '6'))
      response.write('{"type":"MODI', () => response.destroy())
    })
    const { events, ended } = follow(client)
    expect(await ended).toMatchObject({ status: 0, reason: 'Unreachable' })
    expect(events).toHaveLength(1)
  })

  it('on which nothing comes counts as dead after its time, counted from the last byte', async () => {
    const clock = new FakeClock()
    let send: ReturnType<typeof openWatch> = () => {}
    const { client } = await serve((_, response) => {
      send = openWatch(response)
    })
    let isOpen = false
    const options = { silenceMs: 90_000, onOpen: () => void (isOpen = true) }
    const { events, ended } = follow(client, options, quietCtx({ clock }))
    await until(() => isOpen)
    await clock.advance(89_000)
    send('BOOKMARK', { metadata: { resourceVersion: '6' } })
    await until(() => events.length === 1)
    await clock.advance(89_000)
    expect(clock.pending).toBe(1)
    await clock.advance(1_000)
    expect(await ended).toMatchObject({ status: 0, reason: 'Silence' })
    expect(clock.pending).toBe(0)
  })

  it('ends with the reason of ctx, and leaves no timer', async () => {
    const clock = new FakeClock()
    const stop = new AbortController()
    const { client } = await serve((_, response) => openWatch(response)('ADDED', machine('a', '6')))
    const { events, ended } = follow(client, {}, quietCtx({ clock, signal: stop.signal }))
    await until(() => events.length === 1)
    stop.abort(new Error('going home'))
    expect(await ended).toMatchObject({ message: 'going home' })
    expect(clock.pending).toBe(0)
  })

  it('is read no faster than the rate of its client, and so are answers', async () => {
    const clock = new FakeClock()
    const stop = new AbortController()
    const ctx = quietCtx({ clock, signal: stop.signal })
    const rate = { bytesPerSecond: 1_000, burstBytes: 1_000 }
    const answer: Answer = ({ query }, response) => {
      if (query.has('watch')) openWatch(response)('ADDED', machine('a', '6'))
      else response.end('x'.repeat(11_000))
    }
    const { client } = await serve(answer, { rate })
    let isRead = false
    const reading = client.raw('/readyz', ctx).then(() => (isRead = true))
    // The deadline of the request, and the wait.
    await until(() => clock.pending === 2)
    await clock.advance(9_999)
    expect(isRead).toBe(false)
    await clock.advance(1)
    await reading
    const { events, ended } = follow(client, {}, ctx)
    // The deadline of silence, and the wait.
    await until(() => clock.pending === 2)
    expect(events).toEqual([])
    await clock.advance(1_000)
    await until(() => events.length === 1)
    stop.abort(new Error('enough'))
    await ended
    expect(clock.pending).toBe(0)
  })

  it('that is left early closes its connection', async () => {
    const { client, stub } = await serve((_, response) => openWatch(response)('ADDED', machine('a', '6')))
    for await (const event of client.watch(machines, { resourceVersion: '5' }, quietCtx())) {
      expect(event.type).toBe('ADDED')
      break
    }
    await until(() => stub.requests[0]?.socket.destroyed === true)
  })

  it('holds up no other request, however many there are', async () => {
    const { client, stub } = await serve((request, response) => {
      if (request.query.has('watch')) openWatch(response)
      else response.end('ok')
    })
    const stop = new AbortController()
    const watches = Array.from({ length: 40 }, () => follow(client, {}, quietCtx({ signal: stop.signal })))
    await until(() => stub.requests.length === 40)
    expect(await client.raw('/readyz', quietCtx())).toBe('ok')
    stop.abort()
    await Promise.all(watches.map(({ ended }) => ended))
  })
})
