import { afterEach, beforeEach, expect, it } from 'vitest'
import { openWatch } from '../../test/support/fakes/apiserver-stub.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { kubeconfigOf } from '../../test/support/fakes/workload-stub.ts'
import { WorkloadNodes } from '../../test/support/worlds/workload-nodes.ts'
import { nodes } from '../../api/kinds.ts'
import { NodeClient } from './node-client.ts'

const cluster = { namespace: 'default', name: 'c1' }
const selection = { labelSelector: 'x', limit: 100 }
const end = new AbortController()
const ctx = quietCtx({ signal: end.signal })

let management: FakeApiserver
let workload: WorkloadNodes
let client: NodeClient

beforeEach(async () => {
  management = new FakeApiserver()
  workload = await WorkloadNodes.start()
  workload.secretIn(management)
  client = new NodeClient({ cluster, management: management.client(), random: () => 0, onResult: () => {} })
})

afterEach(async () => {
  const over = new AbortController()
  over.abort()
  await client.follow({ ...ctx, signal: over.signal })
  await workload[Symbol.asyncDispose]()
})

async function watchOnce(): Promise<unknown> {
  for await (const event of client.watch(nodes, { labelSelector: 'x', resourceVersion: '100' }, ctx)) return event
  return undefined
}

it('a kubeconfig with a fault is parsed once, and another again', async () => {
  const secret = (user: object) => {
    const metadata = { namespace: 'default', name: 'c1-kubeconfig', uid: 'secret' }
    management.put('Secret', { metadata, data: kubeconfigOf({ server: 'https://127.0.0.1:1' }, user) } as never)
  }
  const complaint = () => client.list(nodes, selection, ctx).catch((thrown: unknown) => thrown)
  secret({ exec: { command: 'touch' } })
  const first = await complaint()
  expect(first).toMatchObject({ message: expect.stringContaining('`exec`') as string })
  // Parsing it again makes a new error.
  expect(await complaint()).toBe(first)
  secret({ username: 'x' })
  expect(await complaint()).toMatchObject({ message: expect.stringContaining('`username`') as string })
})

it('after a changed Secret no watch goes on and no further page is read: all Nodes are listed anew', async () => {
  for (const name of ['a', 'b', 'c']) workload.put({ name })
  const { continue: token } = await client.list(nodes, { ...selection, limit: 1 }, ctx)
  workload.stub.token = 'rotated'
  workload.secretIn(management)
  const further = { ...selection, limit: 1, continue: token }
  await expect(client.list(nodes, further, ctx)).rejects.toMatchObject({ status: 401 })
  await expect(client.list(nodes, further, ctx)).rejects.toMatchObject({ status: 410 })
  await expect(watchOnce()).rejects.toMatchObject({ status: 410 })
  // The reflector asks for the version alone. That is no list of the Nodes.
  await client.list(nodes, { limit: 1 }, ctx)
  await expect(watchOnce()).rejects.toMatchObject({ status: 410 })
  expect((await client.list(nodes, selection, ctx)).items).toHaveLength(3)
  workload.put({ name: 'd' })
  expect(await watchOnce()).toMatchObject({ type: 'MODIFIED' })
})

it('an event that is larger than any Node breaks the watch', async () => {
  await client.list(nodes, selection, ctx)
  const answer = workload.stub.instead
  workload.stub.instead = (request, response) => {
    if (!request.query.has('watch')) return answer?.(request, response)
    openWatch(response)('ADDED', { metadata: { name: 'n', resourceVersion: '101' }, x: 'x'.repeat(5 * 1024 * 1024) })
  }
  await expect(watchOnce()).rejects.toMatchObject({ reason: 'Garbled' })
})
