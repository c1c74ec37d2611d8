import { beforeEach, expect, it } from 'vitest'
import { writeBackoff, type Backoff } from '../../api/rules/backoff-annotation.ts'
import { annotations } from '../../api/labels.ts'
import type { Cluster } from '../../api/machine.ts'
import type { BackoffGroup } from '../../api/rules/backoff-group.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { BackoffStore } from './backoff-store.ts'
import { CapacityMemory } from './memory.ts'

const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSCluster', name: 'infra' }
const cluster: Cluster = { metadata: { namespace: 'default', name: 'c1' }, spec: { infrastructureRef } }
const key = 'default/c1'
const pool = 'pool aws Spot:m5.large:us-east-1a'
const ctx = quietCtx({ clock: new FakeClock() })
const owners = new Map([['MachineDeployment default/md', 'p']])
const groupsOf = (failures: number) =>
  new Map<string, BackoffGroup>([[pool, { failures, failedAt: ctx.clock.now() - 1_000 }]])
const backoffOf = (failures: number): Backoff => new Map([['p', groupsOf(failures)]])

let apiserver: FakeApiserver
let backoffStore: BackoffStore
let memory: CapacityMemory

beforeEach(() => {
  apiserver = new FakeApiserver()
  backoffStore = new BackoffStore(apiserver.client())
  memory = new CapacityMemory(() => {})
})

const load = () => memory.load(key, () => backoffStore.load(cluster, owners, ctx))

function put(kind: string, name: string, text?: string): void {
  const noted = text === undefined ? {} : { annotations: { [annotations.backoff]: text } }
  apiserver.put(kind, { metadata: { namespace: 'default', name, ...noted } })
}

const stands = (kind: string, name: string) =>
  apiserver.get(kind, `default/${name}`)?.metadata.annotations?.[annotations.backoff]
const failures = () => memory.backoffOf(key).get('p')?.get(pool)?.failures

it('is read once, and anew when its Cluster was away: another management cluster has written it since', async () => {
  put('AWSCluster', 'infra', writeBackoff(backoffOf(1)))
  await load()
  put('AWSCluster', 'infra', writeBackoff(backoffOf(5)))
  await load()
  expect(failures()).toBe(1)
  memory.forgetBackoff('default/another')
  expect(failures()).toBe(1)
  memory.forgetBackoff(key)
  await load()
  expect(failures()).toBe(5)
})

it('stands on the infrastructure cluster alone: a MachineDeployment makes Nodes, and is not ours to write', async () => {
  put('AWSCluster', 'infra')
  put('MachineDeployment', 'md')
  await load()
  await backoffStore.save(cluster, backoffOf(2), ctx)
  await backoffStore.save(cluster, backoffOf(2), ctx)
  expect(apiserver.writes.map(({ kind }) => kind)).toEqual(['AWSCluster'])
  expect(stands('AWSCluster', 'infra')).toBe(writeBackoff(backoffOf(2)))
})

it('what an older version left on a MachineDeployment is read where nothing newer stands', async () => {
  const old = { failures: 4, failedAt: '2026-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }
  put('AWSCluster', 'infra')
  put('MachineDeployment', 'md', JSON.stringify({ [pool]: old }))
  await load()
  expect(failures()).toBe(4)
  memory.forgetBackoff(key)
  put('AWSCluster', 'infra', writeBackoff(backoffOf(1)))
  await load()
  expect(failures()).toBe(1)
})

it('nothing is written over what was never read', async () => {
  put('AWSCluster', 'infra', writeBackoff(backoffOf(5)))
  await backoffStore.save(cluster, new Map(), ctx)
  expect(stands('AWSCluster', 'infra')).toBe(writeBackoff(backoffOf(5)))
})

it('is written again where the infrastructure cluster was away, and kept in memory where there is none of ours', async () => {
  await load()
  await backoffStore.save(cluster, backoffOf(2), ctx)
  put('AWSCluster', 'infra')
  await backoffStore.save(cluster, backoffOf(2), ctx)
  expect(stands('AWSCluster', 'infra')).toBe(writeBackoff(backoffOf(2)))
  const theirs: Cluster = { metadata: { namespace: 'default', name: 'theirs' }, spec: {} }
  await memory.load('default/theirs', () => backoffStore.load(theirs, new Map(), ctx))
  memory.keepBackoff('default/theirs', backoffOf(3))
  await backoffStore.save(theirs, backoffOf(3), ctx)
  expect(memory.backoffOf('default/theirs').get('p')?.get(pool)?.failures).toBe(3)
})

it('two controllers that need it at once read it once, and what was forgotten meanwhile is read again', async () => {
  put('AWSCluster', 'infra', writeBackoff(backoffOf(1)))
  let reads = 0
  const read = () => {
    reads++
    return backoffStore.load(cluster, owners, ctx)
  }
  await Promise.all([memory.load(key, read), memory.load(key, read)])
  expect([reads, failures()]).toEqual([1, 1])
  memory.forgetBackoff(key)
  const late = memory.load(key, read)
  memory.forgetBackoff(key)
  await late
  expect([reads, failures()]).toEqual([2, undefined])
  await memory.load(key, read)
  expect([reads, failures()]).toEqual([3, 1])
})

it('nothing is kept before the load, which would hide what is stored', () => {
  memory.keepBackoff(key, backoffOf(2))
  expect(failures()).toBeUndefined()
})
