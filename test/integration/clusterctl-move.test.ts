import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { clusters, coreGroup, interruptionPolicies, machines, nodes } from '../../api/kinds.ts'
import { annotations, nodeLabels, remediationDue } from '../../api/labels.ts'
import type { Cluster, Machine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import type { Lab } from '../lab/lab.ts'
import { Clusterctl } from '../lab/processes/clusterctl.ts'
import { everythingIn } from '../lab/namespace.ts'
import { changesIn, lastCall } from './seen/changes.ts'
import { attemptOf, instanceOf, readyOf, type CloudCluster } from './rigs/cloud-cluster.ts'
import { jumpingClock } from '../lab/jumping-clock.ts'
import { CloudsRig, oneCloud } from './rigs/clouds-rig.ts'
import { makeOrphan } from './rigs/neighbours.ts'
import { patiently } from './seen/patiently.ts'

const version = 'v0.1.0'
/** clusterctl waits while an object has it, with the Clusters paused. */
const blockMove = 'clusterctl.cluster.x-k8s.io/block-move'
const ofTheTest = new Set([blockMove, 'woken', annotations.ownerIdHolder, annotations.ownerIdShared])
/** Longer than the test, and short enough for a machine to count as served. */
const policy = { healthCheck: 'Managed', backoff: { initialSeconds: 3600, maxSeconds: 3600 }, minHealthySeconds: 20 }

let clusterctl: Clusterctl
let source: CloudsRig
/** Another management cluster, in the same accounts. */
let target: CloudsRig

beforeAll(async () => {
  source = await CloudsRig.alone(undefined, {
    clouds: oneCloud,
    async install(to) {
      clusterctl = await Clusterctl.installed(to, version)
    },
  })
  target = await CloudsRig.alone(source, {
    async install(to) {
      await Clusterctl.installed(to, version)
    },
  })
  for (const rig of [source, target]) await rig.startManager([], jumpingClock)
})
afterAll(async () => {
  await target?.[Symbol.asyncDispose]()
  await source?.[Symbol.asyncDispose]()
})

test('clusterctl move with machines running: nothing is bought, ended or forgotten, and the other management cluster goes on', async () => {
  await source.each((one) => one.apply(2))
  const running = await source.each(async (one) => (await one.running(2)).map(instanceOf).sort())
  const orphans = await source.each(makeOrphan)
  await isRefusedWhileOneWaitsForCapacity()
  // Its orphan is suspect from now on, and due in five minutes. None of these minutes counts for the target.
  await source.sweepLater()
  target.lab.manager.kill('SIGUSR2')

  const hurt = await watchNodes(source.lab)
  const before = await everythingOf(source)
  const since = source.clusters.map(({ cloud }) => lastCall(cloud))
  const finish = await beginMove()
  await source.sweepLater()
  target.lab.manager.kill('SIGUSR2')
  await isKnownToCoreFirst(finish)
  expect(await everythingOf(source)).toEqual({})
  await target.each(isAdopted)
  expect(await target.each(async (one) => (await one.running(2)).map(instanceOf).sort())).toEqual(running)
  expect(await everythingOf(target)).toEqual(before)
  await target.each((one) => one.afterPolls(2))
  for (const [at, { cloud }] of source.clusters.entries()) expect(changesIn(cloud, since[at])).toEqual([])
  expect(hurt).toEqual([])

  await target.each(replacesAtOnceAndRemembers)
  const stillThere = () =>
    source.clusters.map(({ cloud }, at) => cloud.alive().some(({ id }) => id === orphans[at]?.id))
  await target.sweepLong()
  expect(stillThere(), 'what belongs to no machine may be of a manager that goes on').not.toContain(false)
  await target.each((one) => one.isTheOnlyHolder())
  await patiently('what belongs to no machine is ended there', async () => {
    await target.sweepLater()
    expect(stillThere()).not.toContain(true)
  })
  expect(source.lab.manager.logs()).not.toContain('Ending an orphan')
  await target.each((one) => one.deleteCluster())
  for (const { cloud } of source.clusters) expect(cloud.remains()).toEqual([])
  expect(await everythingOf(source)).toEqual({})
})

const move = () => clusterctl.run(['move', '-n', source.namespace, '--to-kubeconfig', target.lab.cluster.kubeconfig])

/** Nothing has happened by then. As the docs say, scaling down removes it, and takes no other machine. */
async function isRefusedWhileOneWaitsForCapacity(): Promise<void> {
  const served = await source.each(async (one) => {
    const { lab, namespace, name, cloud } = one
    await lab.client.mergePatch(interruptionPolicies, { namespace, name }, { patch: { spec: policy } }, lab.ctx)
    const names = namesOf(await one.infraMachines())
    cloud.control.noCapacity()
    await one.scaleTo(3)
    await waits(one)
    return names
  })
  await expect(move()).rejects.toThrow(/cannot start the move operation while .* is still provisioning the node/)
  expect([await paused(source), await target.list(clusters)]).toEqual([[], []])
  await source.each((one) => one.scaleTo(2))
  const left = await source.each((one) =>
    patiently('the one that waited is gone', async () => {
      const names = namesOf(await one.infraMachines())
      expect(names).toHaveLength(2)
      return names
    }),
  )
  expect(left).toEqual(served)
}

/** clusterctl has paused the Clusters, and continues when the returned function is called. */
async function beginMove(): Promise<() => Promise<void>> {
  const block = (value: '' | null) =>
    source.each(async ({ clusterKind, namespace, name, lab }) => {
      const patch = { metadata: { annotations: { [blockMove]: value } } }
      await lab.client.mergePatch(clusterKind, { namespace, name }, { patch }, lab.ctx)
    })
  await block('')
  const moved = move()
  // The test awaits it later.
  moved.catch(() => {})
  await patiently('the Clusters are paused', async () => {
    expect(await paused(source)).toHaveLength(source.clusters.length)
  })
  return async () => {
    await block(null)
    await moved
  }
}

/** The other manager has no credentials yet, so that only core acts. */
async function isKnownToCoreFirst(finish: () => Promise<void>): Promise<void> {
  const admit = source.clusters.map(({ cloud }) => cloud.denyUs())
  await finish()
  await patiently('core has found the Nodes', async () => {
    const all = await target.list<Machine>(machines)
    expect(all.filter(({ status }) => status?.nodeRef)).toHaveLength(2 * target.clusters.length)
  })
  for (const again of admit) again()
}

async function isAdopted(one: CloudCluster): Promise<void> {
  await patiently('the machines are adopted', async () => {
    const ready = (await one.infraMachines()).map((machine) => readyOf(machine)?.reason)
    expect(ready).toEqual(['Running', 'Running'])
  })
}

/**
 * A machine that is taken soon after the move has served, and is replaced at once. Its replacement waits for the end of
 * the pause that began in the source, and asks the cloud nothing.
 */
async function replacesAtOnceAndRemembers(one: CloudCluster): Promise<void> {
  const [taken] = await one.infraMachines()
  const requestedAt = Date.parse(attemptOf(taken)?.startedAt ?? '')
  await patiently('it has served for as long as the policy asks', () => {
    expect(Date.now() - requestedAt).toBeGreaterThan(policy.minHealthySeconds * 1000)
  })
  const remembered = await backoffOf(one)
  const creates = () => one.cloud.control.requests().filter(({ action }) => action === one.cloud.createAction).length
  const before = creates()
  one.cloud.control.interrupt(instanceOf(taken))
  await patiently(`${taken?.metadata.name} is replaced`, async () => {
    const names = namesOf(await one.infraMachines())
    expect(names).toHaveLength(2)
    expect(names).not.toContain(taken?.metadata.name)
  })
  await patiently('its replacement waits for its turn', async () => {
    const ready = (await one.infraMachines()).map((machine) => readyOf(machine)?.reason)
    expect(ready).toContain('CapacityBackoff')
  })
  expect(creates()).toBe(before)
  expect(await backoffOf(one)).toMatchObject(remembered)
}

/** One of the machines, with a lack of capacity in the cloud. */
async function waits(one: CloudCluster): Promise<void> {
  await patiently('one waits for capacity', async () => {
    const ours = (await one.list<Machine>(machines)).filter(({ spec }) => spec.clusterName === one.name)
    const said = ours.map(({ status }) => findCondition(status?.conditions, remediationDue)?.message)
    expect(said.join(' ')).toMatch(/^ *InsufficientCapacity: .* next try .*, attempt 2\. *$/)
  })
}

async function backoffOf({ lab, namespace, name, clusterKind }: CloudCluster): Promise<object> {
  const { metadata } = await lab.client.get(clusterKind, { namespace, name }, lab.ctx)
  return JSON.parse(metadata.annotations?.[annotations.backoff] ?? '{}') as object
}

async function paused(rig: CloudsRig): Promise<Cluster[]> {
  return (await rig.list<Cluster>(clusters)).filter(({ spec }) => spec.paused)
}

/** The objects of Cluster API and ours, with the Secrets, without times. */
async function everythingOf({ lab, namespace }: CloudsRig): Promise<Record<string, object>> {
  const found = await everythingIn(namespace, lab.client, lab.ctx)
  const moving = found.filter(({ resource }) => resource.group.endsWith(coreGroup) || resource.kind === 'Secret')
  return Object.fromEntries(
    moving.map(({ resource: { kind }, object: { metadata, ...object } }) => {
      const { name, labels, finalizers, ownerReferences = [], annotations: all } = metadata
      const noted = Object.fromEntries(Object.entries(all ?? {}).filter(([key]) => !ofTheTest.has(key)))
      const owners = ownerReferences.map((owner) => `${owner.kind} ${owner.name}`).sort()
      return [`${kind} ${name}`, { ...object, status: undefined, labels, finalizers, owners, noted }]
    }),
  )
}

/** Records the Nodes that go from now on, or lose the mark that they may be taken back. */
async function watchNodes({ client, ctx }: Lab): Promise<readonly string[]> {
  const { items, resourceVersion } = await client.list(nodes, {}, ctx)
  const isMarked = ({ metadata }: KubeObject) => metadata.labels?.[nodeLabels.interruptible] !== undefined
  const marked = new Set(namesOf(items.filter(isMarked)))
  expect(marked.size).toBe(2 * source.clusters.length)
  const hurt: string[] = []
  const watch = async () => {
    for await (const { type, object } of client.watch(nodes, { resourceVersion }, ctx)) {
      const isHurt = type === 'DELETED' || (type === 'MODIFIED' && !isMarked(object))
      if (isHurt && marked.has(object.metadata.name)) hurt.push(`${type} ${object.metadata.name}`)
    }
    hurt.push('the watch has ended')
  }
  // It goes on until the lab stops.
  void watch().catch(() => {})
  return hurt
}

function namesOf(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => metadata.name).sort()
}
