import { describe, expect, it, onTestFinished } from 'vitest'
import { ApiserverStub, sendJson } from '../../../test/support/fakes/apiserver-stub.ts'
import { keptLog, quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { createClient } from './client.ts'
import { canary, machines, nodes, ref, serve, thrownBy } from '../../../test/support/worlds/client-world.ts'

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

  it('sends the operations of a JSON patch', async () => {
    const { stub, client } = await serve((_, response) => sendJson(response, {}))
    const operations = [{ op: 'test', path: '/metadata/uid', value: 'u-1' }] as const
    await client.jsonPatch(machines, ref, operations, quietCtx())
    expect(stub.requests[0]).toMatchObject({
      method: 'PATCH',
      path: '/apis/x.io/v1/namespaces/ns/machines/m1',
      headers: { 'content-type': 'application/json-patch+json' },
      body: JSON.stringify(operations),
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
    const options = {
      uid: 'u-1',
      resourceVersion: '3',
      propagationPolicy: 'Background',
      gracePeriodSeconds: 0,
    } as const
    await client.delete(machines, ref, options, quietCtx())
    await client.delete(machines, ref, {}, quietCtx())
    expect(stub.requests.map(({ method, body }) => [method, JSON.parse(body) as unknown])).toEqual([
      [
        'DELETE',
        {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          propagationPolicy: 'Background',
          gracePeriodSeconds: 0,
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
