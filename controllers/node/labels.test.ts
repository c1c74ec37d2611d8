import { beforeEach, expect, it } from 'vitest'
import type { Ctx } from '../../api/ctx.ts'
import { outOfService } from '../../api/labels.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import type { WorkloadClients } from '../workload/clients.ts'
import { NodeLabeler } from './labels.ts'

const providerID = 'aws:///us-east-1a/i-1'
const theirs = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }

let apiserver: FakeApiserver
let labeler: NodeLabeler

beforeEach(() => {
  apiserver = new FakeApiserver()
  const client = apiserver.client()
  const workloads = { with: (_: unknown, use: (of: typeof client, own: Ctx) => unknown, ctx: Ctx) => use(client, ctx) }
  labeler = new NodeLabeler(workloads as unknown as WorkloadClients)
})

function putNode(spec: object): void {
  apiserver.put('Node', { metadata: { name: 'n1', labels: { 'a/b': 'c' } }, spec: { providerID, ...spec } } as never)
}

const label = () => {
  const wanted = { cluster: { namespace: 'default', name: 'c1' }, node: 'n1', providerID, labels: { 'a/b': 'c' } }
  return labeler.label(wanted, quietCtx())
}
const taints = () => (apiserver.get('Node', 'n1')?.['spec'] as { taints?: object[] } | undefined)?.taints

it('a Node that was called out of service is taken back when its instance runs, and others’ taints stay', async () => {
  putNode({ taints: [theirs, outOfService] })
  expect(await label()).toBe('done')
  expect(taints()).toEqual([theirs])
})

it('a Node that is another instance by now is left as it is', async () => {
  putNode({ providerID: 'aws:///b/i-2', taints: [outOfService] })
  expect(await label()).toBe('done')
  expect(taints()).toEqual([outOfService])
})

it('a Node is looked at once, and again after its instance was off', async () => {
  putNode({})
  await label()
  putNode({ taints: [outOfService] })
  await label()
  expect(taints(), 'nobody looks').toEqual([outOfService])
  labeler.forget(providerID)
  await label()
  expect(taints()).toEqual([])
})

it('a Node that is not there is absent', async () => {
  expect(await label()).toBe('absent')
})
