import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { spotKind } from '../../api/kinds.ts'
import { annotations, finalizers } from '../../api/labels.ts'
import type { InfraCluster } from '../../api/machine.ts'
import { Fleet } from '../../providers/fleet/fleet.ts'
import { FakeApiserver } from '../../test/fake-apiserver.ts'
import { cloudOf, FakeCloud } from '../../test/fake-cloud.ts'
import { FakeClock } from '../../test/fake-clock.ts'
import { quietCtx } from '../../test/quiet-ctx.ts'
import type { ClusterDeps } from './deps.ts'
import { reconcileCluster } from './reconcile.ts'
import { OrphanSweep } from './sweep.ts'

const minutes = 60_000
const namespace = 'default'
const ref = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSCluster', name: 'c1' }

let stop: AbortController
let clock: FakeClock
let apiserver: FakeApiserver
let cloud: FakeCloud
let events: string[]
let deps: ClusterDeps
let ended: Promise<void>
const ctx = () => quietCtx({ clock, signal: stop.signal })

function begin(orphans: 'Terminate' | 'Report' = 'Terminate'): void {
  const adapter = cloudOf(cloud)
  const scope = adapter.scopeOf({} as never)
  const fleet = new Fleet({ scope, instances: cloud, pollIntervalMs: 15_000, onChange: () => {} })
  ended = fleet.run(ctx())
  const common = {
    client: apiserver.client(),
    machineResource: spotKind('AWSMachine'),
    cloud: () => Promise.resolve(adapter),
    fleetOf: () => fleet,
  }
  const recorder = {
    event: ({ message }: { message: string }) => void events.push(message),
    settled: () => Promise.resolve(),
  }
  deps = {
    ...common,
    resource: spotKind('AWSCluster'),
    infraClusters: apiserver.cache('AWSCluster'),
    clusters: apiserver.cache('Cluster'),
    sweep: new OrphanSweep({ ...common, infraMachines: apiserver.cache('AWSMachine'), recorder, orphans }, { clock }),
  }
}

const object = () => apiserver.get('AWSCluster', 'default/c1') as InfraCluster | undefined
const ownerId = () => apiserver.get('Cluster', 'default/c1')?.metadata.annotations?.[annotations.ownerId] ?? ''
const condition = (type: string) => findCondition(object()?.status?.conditions, type)

async function pass(): Promise<unknown> {
  const progress = { settled: false }
  const passed = reconcileCluster('default/c1', deps, ctx())
    .catch((thrown: unknown) => thrown)
    .finally(() => {
      progress.settled = true
    })
  for (let turn = 0; !progress.settled && turn < 100; turn++) await clock.advance(0)
  return passed
}

/** An instance of this cluster, and, unless told otherwise, the machine that it belongs to. */
async function launch(name: string, more: { machine?: boolean; owner?: string } = {}): Promise<string> {
  const machine = `${namespace}/${name}`
  const want = {
    owner: more.owner ?? ownerId(),
    machine,
    token: `token-${name}`,
    request: {},
    userData: new Uint8Array(),
  }
  const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
  const { id } = await cloud.create({ ...want, scope, clusterName: 'c1' }, ctx())
  cloud.set(id, 'running')
  if (more.machine === false) return id
  const attempt = {
    for: machine,
    owner: want.owner,
    n: 1,
    rung: 0,
    token: want.token,
    scope,
    request: 'x',
    startedAt: 'x',
  }
  apiserver.put('AWSMachine', {
    metadata: { namespace, name, annotations: { [annotations.attempt]: JSON.stringify(attempt) } },
    spec: {},
  } as never)
  return id
}

beforeEach(async () => {
  stop = new AbortController()
  clock = new FakeClock()
  apiserver = new FakeApiserver()
  cloud = new FakeCloud()
  events = []
  apiserver.put('Cluster', { metadata: { namespace, name: 'c1' }, spec: { infrastructureRef: ref } } as never)
  const ownerReferences = [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c1', uid: 'u' }]
  apiserver.put('AWSCluster', {
    metadata: { namespace, name: 'c1', ownerReferences },
    spec: { region: 'us-east-1' },
  } as never)
  begin()
  await clock.advance(0)
})

afterEach(async () => {
  stop.abort(new Error('the test is over'))
  await ended
})

describe('the owner id', () => {
  it('is minted on the Cluster, copied, and held on to by the finalizer before anything is provisioned', async () => {
    await pass()
    expect(ownerId()).toMatch(/^[a-z][a-z0-9]{9}$/)
    expect(object()?.metadata.annotations?.[annotations.ownerId]).toBe(ownerId())
    expect(object()?.metadata.finalizers).toEqual([finalizers.cluster])
    expect(object()?.status?.initialization?.provisioned).toBe(true)
    expect(condition('Ready')).toMatchObject({ status: 'True', reason: 'Provisioned' })
  })

  it('is minted once', async () => {
    await pass()
    const first = ownerId()
    await pass()
    expect(ownerId()).toBe(first)
  })

  it('comes back from the copy when somebody wrote the Cluster anew without it', async () => {
    await pass()
    const first = ownerId()
    apiserver.put('Cluster', { metadata: { namespace, name: 'c1' }, spec: { infrastructureRef: ref } } as never)
    await pass()
    expect(ownerId()).toBe(first)
  })

  it('is a new one for a copy of another Cluster’s object', async () => {
    const copied = { [annotations.ownerId]: 'of-another' }
    apiserver.put('Cluster', { metadata: { namespace, name: 'c0', annotations: copied }, spec: {} } as never)
    apiserver.put('AWSCluster', { ...object(), metadata: { ...object()?.metadata, annotations: copied } } as never)
    await pass()
    expect(ownerId()).not.toBe('of-another')
  })
})

describe('the sweep', () => {
  const sweepAfter = async (ms: number) => {
    await clock.advance(ms)
    return pass()
  }

  beforeEach(async () => {
    await pass()
  })

  it('ends an instance that has had no machine for 5 minutes, and not in the first 10 of this process', async () => {
    const orphan = await launch('gone', { machine: false })
    const kept = await launch('kept')
    await clock.advance(15_000)
    await sweepAfter(0)
    await sweepAfter(9 * minutes)
    expect(cloud.instances.get(orphan)?.state).toBe('running')
    await sweepAfter(1 * minutes)
    expect(cloud.instances.get(orphan)?.state).toBe('terminating')
    expect(cloud.instances.get(kept)?.state).toBe('running')
    expect(events).toEqual([`Instance ${orphan} (gone) belonged to no machine any more and is ended.`])
  })

  it('gives a late orphan its 5 minutes', async () => {
    await sweepAfter(20 * minutes)
    const orphan = await launch('gone', { machine: false })
    await sweepAfter(15_000)
    await sweepAfter(4 * minutes)
    expect(cloud.instances.get(orphan)?.state).toBe('running')
    await sweepAfter(1 * minutes)
    expect(cloud.instances.get(orphan)?.state).toBe('terminating')
  })

  it('believes the fresh list, not the cache: a machine that the cache does not show keeps its instance', async () => {
    const id = await launch('hidden')
    const shown = apiserver.cache('AWSMachine')
    deps = {
      ...deps,
      sweep: new OrphanSweep(
        {
          ...deps,
          infraMachines: { ...shown, list: () => [] } as never,
          recorder: { event: () => {}, settled: () => Promise.resolve() },
          orphans: 'Terminate',
        },
        { clock },
      ),
    }
    await sweepAfter(15_000)
    await sweepAfter(30 * minutes)
    await sweepAfter(1 * minutes)
    expect(cloud.instances.get(id)?.state).toBe('running')
  })

  it('more than two of a few at once are left alone, and a person is told', async () => {
    for (const name of ['a', 'b', 'c']) await launch(name, { machine: false })
    await sweepAfter(15_000)
    await sweepAfter(11 * minutes)
    expect([...cloud.instances.values()].map(({ state }) => state)).toEqual(['running', 'running', 'running'])
    expect(condition('OrphansFound')).toMatchObject({ status: 'True', reason: 'OrphansFound' })
    expect(condition('OrphansFound')?.message).toMatch(/3 of 3 instances belong to no machine: .*none is ended/)
  })

  it('with --orphans=Report only tells', async () => {
    begin('Report')
    const orphan = await launch('gone', { machine: false })
    await sweepAfter(15_000)
    await pass()
    await sweepAfter(11 * minutes)
    expect(cloud.instances.get(orphan)?.state).toBe('running')
    expect(condition('OrphansFound')).toMatchObject({ status: 'True' })
  })

  it('never looks at what another owner id has, though it be the same default/c1', async () => {
    const foreign = await launch('theirs', { machine: false, owner: 'another-management-cluster' })
    await sweepAfter(15_000)
    await sweepAfter(30 * minutes)
    expect(cloud.instances.get(foreign)?.state).toBe('running')
    expect(cloud.count('terminate')).toBe(0)
  })

  it('is silent while the Cluster is paused', async () => {
    const orphan = await launch('gone', { machine: false })
    await sweepAfter(15_000)
    const cluster = apiserver.get('Cluster', 'default/c1')
    apiserver.put('Cluster', { ...cluster, spec: { infrastructureRef: ref, paused: true } } as never)
    await sweepAfter(30 * minutes)
    await sweepAfter(1 * minutes)
    expect(cloud.instances.get(orphan)?.state).toBe('running')
  })

  it('does nothing for a Cluster whose owner id another one has too', async () => {
    const orphan = await launch('gone', { machine: false })
    const copied = { [annotations.ownerId]: ownerId() }
    apiserver.put('Cluster', { metadata: { namespace: 'other', name: 'c1', annotations: copied }, spec: {} } as never)
    await sweepAfter(15_000)
    await sweepAfter(30 * minutes)
    expect(cloud.instances.get(orphan)?.state).toBe('running')
  })

  it('costs no list of its own while nothing is suspect', async () => {
    await launch('kept')
    await sweepAfter(15_000)
    await clock.advance(30 * minutes)
    const lists = cloud.count('list')
    await pass()
    expect(cloud.count('list')).toBe(lists)
  })
})

describe('leaving', () => {
  beforeEach(() => pass())
  const remove = () => apiserver.markDeleted('AWSCluster', 'default/c1', '2026-01-01T00:00:00Z')

  it('waits for the last machine, then for the last instance, then goes', async () => {
    const id = await launch('m1')
    remove()
    await pass()
    expect(condition('Ready')).toMatchObject({ status: 'False', reason: 'WaitingForMachines' })
    apiserver.objects.delete('AWSMachine default/m1')
    await pass()
    expect(condition('Ready')).toMatchObject({ status: 'False', reason: 'WaitingForInstances' })
    expect(condition('Ready')?.message).toContain(id)
    cloud.set(id, 'terminated')
    await pass()
    expect(object()).toBeUndefined()
  })

  it('goes though its Cluster went first, and asks by the owner id that it kept', async () => {
    const id = await launch('m1', { machine: false })
    apiserver.objects.delete('Cluster default/c1')
    remove()
    await pass()
    expect(condition('Ready')).toMatchObject({ reason: 'WaitingForInstances' })
    cloud.set(id, 'terminated')
    await pass()
    expect(object()).toBeUndefined()
  })
})

describe('the failure domains', () => {
  const say = (...names: string[]) => {
    const failureDomainsOf = () => names.map((name) => ({ name, controlPlane: false }))
    deps = { ...deps, cloud: () => Promise.resolve({ ...cloudOf(cloud), failureDomainsOf }) }
  }
  const said = () => object()?.status?.failureDomains

  it('are those of the cloud’s own reading of the spec, and change with it', async () => {
    say('us-east-1a', 'us-east-1b')
    await pass()
    expect(said()).toEqual([
      { name: 'us-east-1a', controlPlane: false },
      { name: 'us-east-1b', controlPlane: false },
    ])
    say()
    await pass()
    expect(said()).toEqual([])
  })

  it('are not spoken of where there never were any', async () => {
    await pass()
    expect(object()?.status).not.toHaveProperty('failureDomains')
  })
})
