import { beforeEach, expect, it } from 'vitest'
import { writeBackoff, type Backoff } from '../../api/rules/backoff-annotation.ts'
import { annotations } from '../../api/labels.ts'
import type { Cluster } from '../../api/machine.ts'
import type { BackoffGroup } from '../../api/rules/backoff-group.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { BackoffStore } from './backoff-store.ts'

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

beforeEach(() => {
  apiserver = new FakeApiserver()
  backoffStore = new BackoffStore(apiserver.client())
})

function put(kind: string, name: string, text?: string): void {
  const noted = text === undefined ? {} : { annotations: { [annotations.backoff]: text } }
  apiserver.put(kind, { metadata: { namespace: 'default', name, ...noted } })
}

const stands = (kind: string, name: string) =>
  apiserver.get(kind, `default/${name}`)?.metadata.annotations?.[annotations.backoff]
const failures = () => backoffStore.of(key).get('p')?.get(pool)?.failures

it('is read once, and anew when its Cluster was away: another management cluster has written it since', async () => {
  put('AWSCluster', 'infra', writeBackoff(backoffOf(1)))
  await backoffStore.read(cluster, owners, ctx)
  put('AWSCluster', 'infra', writeBackoff(backoffOf(5)))
  await backoffStore.read(cluster, owners, ctx)
  expect(failures()).toBe(1)
  backoffStore.forget('default/another')
  expect(failures()).toBe(1)
  backoffStore.forget(key)
  await backoffStore.read(cluster, owners, ctx)
  expect(failures()).toBe(5)
})

it('stands on the infrastructure cluster alone: a MachineDeployment makes Nodes, and is not ours to write', async () => {
  put('AWSCluster', 'infra')
  put('MachineDeployment', 'md')
  await backoffStore.read(cluster, owners, ctx)
  await backoffStore.write(cluster, backoffOf(2), ctx)
  await backoffStore.write(cluster, backoffOf(2), ctx)
  expect(apiserver.writes.map(({ kind }) => kind)).toEqual(['AWSCluster'])
  expect(stands('AWSCluster', 'infra')).toBe(writeBackoff(backoffOf(2)))
})

it('what an older version left on a MachineDeployment is read where nothing newer stands', async () => {
  const old = { failures: 4, failedAt: '2026-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }
  put('AWSCluster', 'infra')
  put('MachineDeployment', 'md', JSON.stringify({ [pool]: old }))
  await backoffStore.read(cluster, owners, ctx)
  expect(failures()).toBe(4)
  backoffStore.forget(key)
  put('AWSCluster', 'infra', writeBackoff(backoffOf(1)))
  await backoffStore.read(cluster, owners, ctx)
  expect(failures()).toBe(1)
})

it('nothing is written over what was never read', async () => {
  put('AWSCluster', 'infra', writeBackoff(backoffOf(5)))
  await backoffStore.write(cluster, new Map(), ctx)
  expect(stands('AWSCluster', 'infra')).toBe(writeBackoff(backoffOf(5)))
})

it('is written again where the infrastructure cluster was away, and kept in memory where there is none of ours', async () => {
  await backoffStore.read(cluster, owners, ctx)
  await backoffStore.write(cluster, backoffOf(2), ctx)
  put('AWSCluster', 'infra')
  await backoffStore.write(cluster, backoffOf(2), ctx)
  expect(stands('AWSCluster', 'infra')).toBe(writeBackoff(backoffOf(2)))
  const theirs: Cluster = { metadata: { namespace: 'default', name: 'theirs' }, spec: {} }
  await backoffStore.read(theirs, new Map(), ctx)
  await backoffStore.write(theirs, backoffOf(3), ctx)
  expect(backoffStore.of('default/theirs').get('p')?.get(pool)?.failures).toBe(3)
})
