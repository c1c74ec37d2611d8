import { beforeEach, expect, it } from 'vitest'
import { findCondition, rfc3339 } from '../../api/conditions.ts'
import { annotations, core, machineLabels, remediationDue } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { ObjectMeta } from '../../api/meta.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { CapacityMemory } from '../capacity/memory.ts'
import { OwnWrites } from '../runtime/cache/own-writes.ts'
import type { RemediationDeps } from './deps.ts'
import { BackoffStore } from './backoff-store.ts'
import { Mendings } from './mendings.ts'
import { reconcileRemediation } from './reconcile.ts'

const clusterKey = 'default/c1'
const pool = 'Spot:m5.large:us-east-1a'
const spot = { apiGroup: 'spot.cluster.x-k8s.io' }

let apiserver: FakeApiserver
let clock: FakeClock
let deps: RemediationDeps
const ctx = () => quietCtx({ clock })
const pass = () => reconcileRemediation(clusterKey, deps, ctx())

beforeEach(() => {
  apiserver = new FakeApiserver()
  clock = new FakeClock()
  const client = apiserver.client()
  deps = {
    client,
    clusters: apiserver.cache('Cluster'),
    machines: apiserver.cache('Machine'),
    policies: apiserver.cache('InterruptionPolicy'),
    healthChecks: apiserver.cache('MachineHealthCheck'),
    infraMachines: new Map([['AWSMachine', apiserver.cache('AWSMachine')]]),
    memory: new CapacityMemory(() => {}),
    backoffStore: new BackoffStore(client),
    mendings: new Mendings(),
    ownWrites: new OwnWrites(),
    recorder: { event: () => {} },
    watchFilter: '',
  }
  putCluster()
  apiserver.put('AWSCluster', { metadata: { namespace: 'default', name: 'c1', uid: 'infra' } })
})

function putCluster(spec: object = {}): void {
  const infrastructureRef = { ...spot, kind: 'AWSCluster', name: 'c1' }
  apiserver.put('Cluster', {
    metadata: { namespace: 'default', name: 'c1', uid: 'c1' },
    spec: { infrastructureRef, ...spec },
  } as never)
}

/** A Machine of the MachineDeployment for which there was no capacity, a second ago. */
function putFailed(name: string, metadata: Partial<ObjectMeta> = {}): void {
  const set = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 's1', uid: 's1', controller: true }
  const labels = { [core.deploymentName]: 'md' }
  apiserver.put('Machine', {
    metadata: { namespace: 'default', name, uid: name, labels, ownerReferences: [set], ...metadata },
    spec: { clusterName: 'c1', infrastructureRef: { ...spot, kind: 'AWSMachine', name } },
  } as never)
  putInfra(name, 'InsufficientCapacity', clock.now() - 1_000)
}

const policy = (spec: object) =>
  apiserver.put('InterruptionPolicy', {
    metadata: { namespace: 'default', name: 'p', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { clusterName: 'c1', ...spec },
  } as never)

function putInfra(name: string, reason: string, since: number, instanceState?: string): void {
  const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
  const startedAt = rfc3339(since - 1_000)
  const attempt = {
    for: `default/${name}`,
    owner: 'o',
    n: 1,
    token: name,
    scope,
    startedAt,
    offering: pool,
  }
  const lastTransitionTime = rfc3339(since)
  const ready = { type: 'Ready', status: 'False', reason, message: '', lastTransitionTime }
  apiserver.put('AWSMachine', {
    metadata: { namespace: 'default', name, annotations: { [annotations.attempt]: JSON.stringify(attempt) } },
    spec: {},
    status: { conditions: [ready], ...(instanceState ? { instanceState } : {}) },
  } as never)
}

const machine = (name: string) => apiserver.get('Machine', `default/${name}`) as unknown as Machine
const due = (name: string) => findCondition(machine(name).status?.conditions, remediationDue)
const isReleased = (name: string) => machine(name).metadata.labels?.[machineLabels.remediationDue] !== undefined
const heldBy = (name: string) => machine(name).metadata.annotations?.[core.skipRemediation]

it('of machines for which there is no capacity none is replaced before the pause, and one when it is over', async () => {
  putFailed('a')
  putFailed('b')
  expect(await pass()).toEqual({ requeueAfterMs: 29_000, reason: 'a machine may be tried again then' })
  for (const name of ['a', 'b']) {
    expect(isReleased(name)).toBe(false)
    expect(due(name)).toMatchObject({
      status: 'False',
      reason: 'BackingOff',
      message: 'InsufficientCapacity: m5.large spot in us-east-1a; next try 00:00:29 UTC, attempt 2.',
    })
  }
  await clock.advance(29_000)
  await pass()
  expect(['a', 'b'].filter(isReleased)).toEqual(['a'])
  expect(due('a')).toMatchObject({ status: 'True', reason: 'Due' })
  expect(due('b')).toMatchObject({ status: 'False', reason: 'BackingOff' })
})

it('what is planned stands on the infrastructure cluster before the Machine, and there the condition before the label', async () => {
  putFailed('a')
  await pass()
  await clock.advance(29_000)
  const before = apiserver.writes.length
  await pass()
  const written = apiserver.writes.slice(before).map(({ kind, patch }) => `${kind} ${Object.keys(patch).join()}`)
  expect(written).toEqual(['AWSCluster metadata', 'Machine status', 'Machine metadata'])
  expect(isReleased('a')).toBe(true)
})

it('a pass that ends between its writes is completed by the next, in another process too', async () => {
  putFailed('a')
  putFailed('b')
  await pass()
  await clock.advance(29_000)
  apiserver.beforeWrite = (patch) => {
    if (JSON.stringify(patch).includes('"Due"')) throw new Error('cut off')
  }
  await expect(pass()).rejects.toThrow('cut off')
  apiserver.beforeWrite = () => {}
  deps = {
    ...deps,
    memory: new CapacityMemory(() => {}),
    backoffStore: new BackoffStore(deps.client),
    ownWrites: new OwnWrites(),
  }
  await clock.advance(1_000)
  await pass()
  expect(['a', 'b'].filter(isReleased)).toEqual(['a'])
})

it('a Machine that cannot be written does not keep the others waiting; the pass fails all the same', async () => {
  putFailed('a')
  putFailed('b')
  let refused = 0
  apiserver.beforeWrite = (patch) => {
    if ('status' in patch && refused++ === 0) throw new Error('not this one')
  }
  await expect(pass()).rejects.toThrow('not this one')
  expect(['a', 'b'].filter((name) => due(name) !== undefined)).toHaveLength(1)
})

it('of a paused Cluster nothing is written, and what is remembered of it is read anew afterwards', async () => {
  putFailed('a')
  await pass()
  putCluster({ paused: true })
  const writes = apiserver.writes.length
  await clock.advance(60_000)
  expect(await pass()).toBe('done')
  expect(apiserver.writes).toHaveLength(writes)
  expect(deps.backoffStore.of(clusterKey).size).toBe(0)
})

it('while core’s health checks do not look at the Cluster, no Machine is marked as due', async () => {
  putCluster({ controlPlaneRef: { ...spot, kind: 'ExternalControlPlane', name: 'c1' } })
  putFailed('a')
  await clock.advance(60_000)
  await pass()
  expect(isReleased('a')).toBe(false)
})

it('a Machine that backs off is held back from a user’s health check, until it is due', async () => {
  putFailed('a')
  const selector = { matchLabels: { [core.deploymentName]: 'md' } }
  apiserver.put('MachineHealthCheck', {
    metadata: { namespace: 'default', name: 'theirs' },
    spec: { clusterName: 'c1', selector },
  } as never)
  await pass()
  expect(heldBy('a')).toBe('backing-off')
  await clock.advance(29_000)
  await pass()
  expect(heldBy('a')).toBeUndefined()
  expect(isReleased('a')).toBe(true)
})

it('a Machine that a user skips stays as it is, and says so', async () => {
  putFailed('a', { annotations: { [core.skipRemediation]: 'mine' } })
  await clock.advance(60_000)
  await pass()
  expect(isReleased('a')).toBe(false)
  expect(heldBy('a')).toBe('mine')
  expect(due('a')).toMatchObject({ status: 'False', reason: 'RemediationSkipped' })
})

it('whose instance has ended is not drained on its way out, and nothing else is said of it', async () => {
  putFailed('a', { deletionTimestamp: rfc3339(clock.now()), finalizers: ['machine.cluster.x-k8s.io'] })
  putInfra('a', 'Interrupted', clock.now() - 1_000, 'terminated')
  await pass()
  expect(machine('a').metadata.annotations).toMatchObject({
    'machine.cluster.x-k8s.io/exclude-node-draining': 'spot-instance-ended',
    'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach': 'spot-instance-ended',
  })
  expect(due('a')).toBeUndefined()
})

it('what the cache shows before our own write is not written upon', async () => {
  putFailed('a')
  const stale = machine('a')
  await pass()
  const writes = apiserver.writes.filter(({ kind }) => kind === 'Machine').length
  const cache = apiserver.cache<Machine>('Machine')
  deps = { ...deps, machines: { ...cache, by: () => [stale] } }
  await pass()
  expect(apiserver.writes.filter(({ kind }) => kind === 'Machine')).toHaveLength(writes)
})

it('what cannot be written keeps the failing machines back, and not those that served', async () => {
  putFailed('a')
  putFailed('c')
  putInfra('c', 'InstanceGone', clock.now() - 1_000)
  policy({ minHealthySeconds: 0 })
  const served = { type: 'Provisioned', status: 'True', reason: 'Running', message: '', lastTransitionTime: rfc3339(0) }
  const gone = apiserver.get('AWSMachine', 'default/c') as unknown as InfraMachine
  apiserver.put('AWSMachine', {
    ...gone,
    status: { conditions: [...(gone.status?.conditions ?? []), served] },
  } as never)
  apiserver.beforeWrite = (patch) => {
    if (JSON.stringify(patch).includes(annotations.backoff)) throw new Error('a webhook says no')
  }
  await expect(pass()).rejects.toThrow('a webhook says no')
  expect(due('a')).toBeUndefined()
  expect(isReleased('c'), 'what served and ended rests on nothing').toBe(true)
})

it('what cannot be read is not written over', async () => {
  putFailed('a')
  const { client } = deps
  let isAway = true
  const get: typeof client.get = (resource, ref, ctx) =>
    isAway && resource.kind === 'AWSCluster' ? Promise.reject(new Error('away')) : client.get(resource, ref, ctx)
  deps = { ...deps, backoffStore: new BackoffStore({ ...client, get }) }
  await expect(pass()).rejects.toThrow('away')
  expect(apiserver.writes.filter(({ kind }) => kind === 'AWSCluster')).toEqual([])
  expect(due('a')).toBeUndefined()
  isAway = false
  await pass()
  expect(due('a')).toMatchObject({ reason: 'BackingOff' })
})

it('Machines of two policies wait each by its own, and each goes on where it was in another process', async () => {
  const patient = { initialSeconds: 600, maxSeconds: 600 }
  policy({ selector: { matchLabels: { [core.deploymentName]: 'md' } }, backoff: patient })
  putFailed('a')
  putFailed('b', { labels: { [core.deploymentName]: 'other' } })
  await pass()
  const said = () => ['a', 'b'].map((name) => due(name)?.message.replace(/^.*; /, ''))
  const waits = ['next try 00:09:59 UTC, attempt 2.', 'next try 00:00:29 UTC, attempt 2.']
  expect(said()).toEqual(waits)
  deps = { ...deps, memory: new CapacityMemory(() => {}), backoffStore: new BackoffStore(deps.client) }
  await clock.advance(10_000)
  await pass()
  expect(said()).toEqual(waits)
  const { metadata } = apiserver.get('AWSCluster', 'default/c1') ?? {}
  expect(Object.keys(JSON.parse(metadata?.annotations?.[annotations.backoff] ?? '') as object)).toEqual([
    'no policy',
    'p',
  ])
})

it('a Machine whose infra machine somebody has deleted is replaced at once, if that is really gone', async () => {
  putFailed('a')
  const provisioned = { ...machine('a'), status: { initialization: { infrastructureProvisioned: true } } }
  apiserver.put('Machine', provisioned)
  const cache = apiserver.cache<InfraMachine>('AWSMachine')
  deps = { ...deps, infraMachines: new Map([['AWSMachine', { ...cache, get: () => undefined }]]) }
  await pass()
  expect(isReleased('a'), 'the cache is late').toBe(false)
  apiserver.remove('AWSMachine', 'default/a')
  await pass()
  expect(isReleased('a')).toBe(true)
  expect(due('a')?.message).toMatch(/^InfrastructureDeleted\. /)
})

it('a Machine whose infra machine went before it had anything is replaced when it will not come any more', async () => {
  putFailed('a', { creationTimestamp: rfc3339(clock.now()) })
  apiserver.remove('AWSMachine', 'default/a')
  expect(await pass()).toMatchObject({ requeueAfterMs: 300_000 })
  expect(isReleased('a'), 'it may be put back from a backup after its Machine').toBe(false)
  await clock.advance(300_000)
  await pass()
  expect(isReleased('a')).toBe(true)
  expect(due('a')?.message).toMatch(/^InfrastructureDeleted\. /)
})

it('where a policy says None for some, those are marked for another health check, and ours stays for the others', async () => {
  policy({ selector: { matchLabels: { [core.deploymentName]: 'md' } }, healthCheck: 'None' })
  putFailed('a')
  await pass()
  await clock.advance(60_000)
  await pass()
  expect(machine('a').metadata.labels?.[machineLabels.remediationDue]).toBe('unmanaged')
  const check = apiserver.get('MachineHealthCheck', 'default/c1-spot-remediation')
  expect(check?.['spec']).toMatchObject({ selector: { matchLabels: { [machineLabels.remediationDue]: '' } } })
})
