import { beforeEach, expect, it } from 'vitest'
import type { Cluster, MachineHealthCheck } from '../../api/machine.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import type { EventInput } from '../runtime/controller/events.ts'
import type { RemediationDeps } from './deps.ts'
import { hasSpotMachines, keepHealthCheck } from './health-check.ts'
import { Mendings } from './mendings.ts'

const kind = 'MachineHealthCheck'
const key = 'default/c1-spot-remediation'
const cluster: Cluster = { metadata: { namespace: 'default', name: 'c1', uid: 'c1-uid' }, spec: {} }

let apiserver: FakeApiserver
let deps: RemediationDeps
let told: EventInput[]
let clock: FakeClock
let ctx: ReturnType<typeof quietCtx>

beforeEach(() => {
  apiserver = new FakeApiserver()
  told = []
  clock = new FakeClock()
  ctx = quietCtx({ clock })
  deps = depsWith({})
})

function depsWith(more: Partial<RemediationDeps>): RemediationDeps {
  const recorder = { event: (input: EventInput) => void told.push(input) }
  const parts = {
    client: apiserver.client(),
    healthChecks: apiserver.cache(kind),
    watchFilter: '',
    recorder,
    mendings: new Mendings(),
    ...more,
  }
  return parts as unknown as RemediationDeps
}

const keep = (wanted: Cluster | undefined = cluster, by = deps) =>
  keepHealthCheck({ namespace: 'default', name: 'c1', cluster: wanted }, by, ctx)
const drop = () => keepHealthCheck({ namespace: 'default', name: 'c1', cluster: undefined }, deps, ctx)
const kept = () => apiserver.get(kind, key) as MachineHealthCheck | undefined

function edit(spec: object): void {
  const found = kept()
  if (!found) throw new Error('There is no health check to edit.')
  apiserver.put(kind, { ...found, spec: { ...found.spec, ...spec } } as never)
}

it('selects nothing but what is due, waits for no Node, and goes with its Cluster', async () => {
  await keep()
  expect(kept()?.spec).toEqual({
    clusterName: 'c1',
    selector: { matchLabels: { 'spot.cluster.x-k8s.io/remediation-due': '' } },
    checks: {
      nodeStartupTimeoutSeconds: 0,
      unhealthyMachineConditions: [{ type: 'SpotRemediationDue', status: 'True', timeoutSeconds: 0 }],
    },
    remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '100%' } },
  })
  expect(kept()?.metadata.ownerReferences).toEqual([
    { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c1', uid: 'c1-uid' },
  ])
})

it('carries what a manager with --watch-filter looks for', async () => {
  await keep(cluster, depsWith({ watchFilter: 'mine' }))
  expect(kept()?.metadata.labels).toMatchObject({ 'cluster.x-k8s.io/watch-filter': 'mine' })
})

it('what core or a policy fills in beside our own fields is left alone, however often it is looked at', async () => {
  await keep()
  const conditions = kept()?.spec['checks'] as { unhealthyMachineConditions: object[] }
  edit({
    checks: {
      nodeStartupTimeoutSeconds: 0,
      unhealthyMachineConditions: conditions.unhealthyMachineConditions.map((one) => ({ ...one, severity: 'x' })),
      unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 300 }],
    },
    remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '100%' }, pauseSeconds: 5 },
  })
  const { uid, resourceVersion } = kept()?.metadata ?? {}
  for (let n = 0; n < 1_000; n++) await keep()
  expect(kept()?.metadata).toMatchObject({ uid, resourceVersion })
})

it.each([
  ['whom it selects', { selector: { matchLabels: {} } }],
  ['whom else it selects', { selector: { matchLabels: { 'spot.cluster.x-k8s.io/remediation-due': '', a: 'b' } } }],
  ['what it looks for', { checks: { nodeStartupTimeoutSeconds: 600 } }],
  ['when it stops', { remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '40%' } } }],
  ['in which range it works', { remediation: { triggerIf: { unhealthyInRange: '[1-3]' } } }],
  ['who removes the Machine', { remediation: { templateRef: { kind: 'Other', name: 'x' } } }],
])('when somebody edits %s it is put right in place', async (_, spec) => {
  await keep()
  const asMade = kept()
  edit(spec)
  await keep()
  expect(kept()?.spec).toEqual(asMade?.spec)
  expect(kept()?.metadata.uid).toBe(asMade?.metadata.uid)
  expect(told).toEqual([])
})

it('a difference that comes back each time leads to growing pauses and an event', async () => {
  await keep()
  const { uid } = kept()?.metadata ?? {}
  const times: number[] = []
  const begin = clock.monotonic()
  for (let n = 0; n < 1_000; n++) {
    edit({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '40%' } } })
    const writes = apiserver.writes.length
    await keep()
    expect(kept()?.metadata.uid).toBe(uid)
    if (apiserver.writes.length > writes) times.push((clock.monotonic() - begin) / 1_000)
    await clock.advance(100)
  }
  expect(times).toEqual([0, 1, 3, 7, 15, 31, 63])
  expect(new Set(told.map(({ reason }) => reason))).toEqual(new Set(['HealthCheckContested']))
  expect(told[0]?.message).toContain('spec.remediation of MachineHealthCheck c1-spot-remediation')
})

it('a contested one is corrected after the pause, and forgotten when it stays correct', async () => {
  await keep()
  const editAndKeep = () => {
    edit({ selector: { matchLabels: {} } })
    return keep()
  }
  expect(await editAndKeep()).toBe('done')
  expect(await editAndKeep()).toMatchObject({ requeueAfterMs: 1_000 })
  await clock.advance(1_000)
  expect(await keep()).toBe('done')
  await clock.advance(10 * 60_000)
  expect(await keep()).toBe('done')
  expect(await editAndKeep()).toBe('done')
  expect(await editAndKeep()).toMatchObject({ requeueAfterMs: 1_000 })
})

it('one of its name without our label is somebody else’s: neither corrected nor deleted, and an event reports it', async () => {
  const theirs = { metadata: { namespace: 'default', name: 'c1-spot-remediation' }, spec: { clusterName: 'c1' } }
  apiserver.put(kind, theirs)
  const before = kept()
  await keep()
  await drop()
  expect(kept()).toEqual(before)
  expect(told).toMatchObject([{ type: 'Warning', reason: 'HealthCheckNotOurs', object: { kind: 'Cluster' } }])
})

it('is deleted when it is not wanted, once', async () => {
  await drop()
  await keep()
  await drop()
  expect(kept()).toBeUndefined()
  await drop()
})

it('that the cache does not show yet what was made, or still shows what went, is no failure', async () => {
  const before = depsWith({ healthChecks: { ...apiserver.cache(kind), get: () => undefined } as never })
  await keep(cluster, before)
  await keep(cluster, before)
  const shown = kept()
  apiserver.remove(kind, key)
  const after = depsWith({ healthChecks: { ...apiserver.cache(kind), get: () => shown } as never })
  await keepHealthCheck({ namespace: 'default', name: 'c1', cluster: undefined }, after, ctx)
  expect(kept()).toBeUndefined()
})

it('what was made anew under its name meanwhile is not what we wanted to remove', async () => {
  await keep()
  const shown = kept()
  apiserver.remove(kind, key)
  await keep()
  const stale = depsWith({ healthChecks: { ...apiserver.cache(kind), get: () => shown } as never })
  await expect(keepHealthCheck({ namespace: 'default', name: 'c1', cluster: undefined }, stale, ctx)).rejects.toThrow()
  expect(kept()).toBeDefined()
})

it('a Cluster of another provider, or on its way out, has none', () => {
  const ours: Cluster = {
    ...cluster,
    spec: { infrastructureRef: { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSCluster', name: 'c1' } },
  }
  expect(hasSpotMachines(ours)).toBe(true)
  expect(hasSpotMachines(cluster)).toBe(false)
  expect(hasSpotMachines({ ...ours, metadata: { ...ours.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } })).toBe(
    false,
  )
})
