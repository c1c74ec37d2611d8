import { beforeEach, describe, expect, it } from 'vitest'
import { writeAttempt, type Attempt } from '../../api/attempt.ts'
import { rfc3339 } from '../../api/conditions.ts'
import { annotations } from '../../api/labels.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { ApiError } from '../runtime/client/api-error.ts'
import { NodeWriter } from './node-writer.ts'
import { takeOutOfService, type OffNodeDeps } from './take-out-of-service.ts'

const metadata = { namespace: 'default', name: 'm1' }
const providerID = 'aws:///us-east-1a/i-1'
const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'm1', uid: 'u' }
const ready = { type: 'Ready', status: 'False', reason: 'Interrupted', message: '', lastTransitionTime: rfc3339(0) }
const ours = { key: 'node.kubernetes.io/out-of-service', value: 'spot-instance-off', effect: 'NoExecute' }
const theirs = { key: 'theirs', effect: 'NoSchedule' }

let apiserver: FakeApiserver
let deps: OffNodeDeps
let nodes: NodeWriter

beforeEach(() => {
  apiserver = new FakeApiserver()
  clusterIs({})
  apiserver.put('Machine', { metadata, spec: { clusterName: 'c1' }, status: { nodeRef: { name: 'n1' } } } as never)
  apiserver.put('Node', { metadata: { name: 'n1' }, spec: { providerID, taints: [theirs] } } as never)
  infraIs('terminated')
  const client = apiserver.client()
  nodes = new NodeWriter({ with: (_cluster, use, ctx) => use(client, ctx, {} as never) })
  nodes.shownOff(providerID)
  deps = {
    machines: apiserver.cache('Machine'),
    clusters: apiserver.cache('Cluster'),
    infraMachines: apiserver.cache('AWSMachine'),
    nodes,
  }
})

function clusterIs(spec: object): void {
  const known = { ...metadata, name: 'c1', annotations: { [annotations.ownerId]: 'owner-1' } }
  apiserver.put('Cluster', { metadata: known, spec } as never)
}

function attemptOf(over: Partial<Attempt> = {}): Record<string, string> {
  const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
  const base = { for: 'default/m1', owner: 'owner-1', n: 1, token: 't', scope, startedAt: rfc3339(0), handle: 'i-1' }
  return writeAttempt({ ...base, ...over })
}

function infraIs(instanceState: string, noted: Record<string, string> = attemptOf(), id = providerID): void {
  const status = { instanceState, conditions: [ready] }
  const marked = { ...metadata, ownerReferences: [owner], annotations: noted }
  const object = { metadata: marked, spec: { providerID: id }, status }
  apiserver.put('AWSMachine', object)
}

const reconcile = () => takeOutOfService('default/m1', deps, quietCtx())
const taints = () => (apiserver.get('Node', 'n1')?.['spec'] as { taints: object[] } | undefined)?.taints

it('the Node of an instance that is off is marked, once, beside what others have put on it', async () => {
  expect(await reconcile()).toBe('done')
  await reconcile()
  expect(taints()).toEqual([theirs, ours])
  expect(apiserver.writes).toHaveLength(1)
})

describe('nothing is marked', () => {
  it('while the instance may still write', async () => {
    for (const state of ['running', 'stopping', 'terminating']) {
      infraIs(state)
      await reconcile()
    }
    expect(taints()).toEqual([theirs])
  })

  it('of a machine that was not launched for this Cluster, whatever its status says', async () => {
    for (const noted of [{}, attemptOf({ owner: 'owner-2' }), attemptOf({ for: 'default/m2' })]) {
      infraIs('terminated', noted)
      await reconcile()
    }
    expect(taints()).toEqual([theirs])
  })

  it('before the cloud has shown this process the instance as off, whatever the object says', async () => {
    nodes.forget(providerID)
    expect(await reconcile()).toMatchObject({ requeueAfterMs: 15_000 })
    expect(taints()).toEqual([theirs])
    nodes.shownOff(providerID)
    expect(await reconcile()).toBe('done')
    expect(taints()).toEqual([theirs, ours])
  })

  it('of an instance that runs, whose providerID a tenant has written to a machine that is off', async () => {
    const victim = 'aws:///us-east-1a/i-2'
    apiserver.put('Node', { metadata: { name: 'n1' }, spec: { providerID: victim, taints: [theirs] } } as never)
    infraIs('terminated', attemptOf(), victim)
    expect(await reconcile()).toMatchObject({ requeueAfterMs: 15_000 })
    expect(taints()).toEqual([theirs])
  })

  it('of a Node that is another instance by now', async () => {
    apiserver.put('Node', { metadata: { name: 'n1' }, spec: { providerID: 'aws:///b/i-2', taints: [] } } as never)
    await reconcile()
    expect(taints()).toEqual([])
  })

  it('while no Machine of its own names a Node', async () => {
    for (const status of [{}, { nodeRef: {} }]) {
      apiserver.put('Machine', { metadata, spec: { clusterName: 'c1' }, status } as never)
      await reconcile()
    }
    apiserver.remove('Machine', 'default/m1')
    await reconcile()
    expect(taints()).toEqual([theirs])
  })

  it('while the Cluster is paused', async () => {
    clusterIs({ paused: true })
    await reconcile()
    expect(taints()).toEqual([theirs])
  })
})

it('a workload cluster that does not answer is told later, and holds nobody up', async () => {
  const away = () => Promise.reject(new ApiError({ status: 0, reason: 'Unreachable', message: 'no answer' }))
  const nodesAway = new NodeWriter({ with: away })
  nodesAway.shownOff(providerID)
  const passed = await takeOutOfService('default/m1', { ...deps, nodes: nodesAway }, quietCtx())
  expect(passed).toMatchObject({ requeueAfterMs: 15_000 })
})
