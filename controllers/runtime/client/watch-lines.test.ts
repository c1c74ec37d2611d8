import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ApiserverStub } from '../../../test/support/fakes/apiserver-stub.ts'
import { mutate, mutation } from '../../../test/contract/mutation.ts'
import { longestStallMs, ownTimeOf } from '../../../test/support/own-time.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { ApiError } from './api-error.ts'
import { createClient, type KubeClient, type WatchEvent } from './client.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'

const machines: Resource = { group: 'x.io', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true }
const lineOf = (type: string) =>
  JSON.stringify({
    type,
    object: {
      metadata: { namespace: 'ns', name: 'm1', resourceVersion: '6', labels: { a: 'b' } },
      spec: { clusterName: 'c1' },
    },
  })

let body = ''
let stub: ApiserverStub
let client: KubeClient
beforeEach(async () => {
  stub = await ApiserverStub.start((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(body)
  })
  client = createClient({ server: stub.url }, { userAgent: 'test' })
})
afterEach(async () => {
  await client.close()
  await stub[Symbol.asyncDispose]()
})

async function watched(): Promise<WatchEvent<KubeObject>[]> {
  const events: WatchEvent<KubeObject>[] = []
  for await (const event of client.watch(machines, { resourceVersion: '5' }, quietCtx())) events.push(event)
  return events
}

it('whatever the lines of a watch are, events come of them or an ApiError, and at once', async () => {
  const line = fc
    .tuple(fc.constantFrom('ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'), mutation)
    .map(([type, how]) => mutate(lineOf(type), how))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), async (lines) => {
      body = lines.join('\n')
      const ended = await watched().catch((thrown: unknown) => thrown)
      expect(Array.isArray(ended) || ended instanceof ApiError).toBe(true)
      expect(await ownTimeOf(() => watched().catch(() => {}))).toBeLessThan(longestStallMs)
    }),
  )
})
