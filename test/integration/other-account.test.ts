import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { machines } from '../../api/kinds.ts'
import { annotations, finalizers } from '../../api/labels.ts'
import type { InfraCluster, Machine } from '../../api/machine.ts'
import { applySpotCluster } from '../lab/spot-cluster.ts'
import { attemptOf, instanceOf, readyOf, type CloudCluster } from './rigs/cloud-cluster.ts'
import { jumpingClock } from '../lab/jumping-clock.ts'
import { CloudsRig } from './rigs/clouds-rig.ts'
import { patiently } from './seen/patiently.ts'

const replicas = 6

let rig: CloudsRig
beforeEach(async () => {
  rig = await CloudsRig.start(inject('cluster'), ['aws', 'ibm'])
})
afterEach(() => rig[Symbol.asyncDispose]())

it('keys of another account under running machines: nothing is replaced, created or let go, and all is well with the right ones', async () => {
  await rig.startManager([], jumpingClock)
  const before = await rig.each(serve)
  // A machine that ended now would be replaced at once.
  await later(rig, 3)
  await rig.killManager()
  const others = rig.clusters.map(({ cloud }) => accountsOf(cloud.otherAccount?.()))
  const environments = others.map(({ environment }) => environment)
  await rig.startManager([], Object.assign({}, jumpingClock, ...environments) as NodeJS.ProcessEnv)

  await rig.each((cluster) => saysBothAccounts(cluster, others[rig.clusters.indexOf(cluster)]))
  const deleted = await rig.each(deleteOne)
  await later(rig, 4)
  await rig.each(async (cluster) => {
    const at = rig.clusters.indexOf(cluster)
    await nothingHasChanged(cluster, { before: before[at], deleted: deleted[at] })
  })

  await rig.killManager()
  await rig.startManager([], jumpingClock)
  await rig.each(async (cluster) => {
    await cluster.running(replicas)
    await saysProvisioned(cluster)
    expect(cluster.cloud.alive()).toHaveLength(replicas)
    expect(cluster.creates()).toBe(replicas + 1)
    await cluster.deleteCluster()
    expect(cluster.cloud.remains()).toEqual([])
  })
})

/** The state of a cluster before: its Machines by name, with their uids, and the number of create calls. */
interface Before {
  readonly uids: ReadonlyMap<string, string | undefined>
  readonly alive: readonly string[]
}

async function serve(cluster: CloudCluster): Promise<Before> {
  const { lab, name, namespace, cloud } = cluster
  await applySpotCluster(lab, { name, namespace, workers: replicas, cloud })
  const made = await cluster.running(replicas)
  for (const machine of made) expect(attemptOf(machine)?.scope.account).toMatch(/^[0-9a-f]{12,32}$/)
  expect(cluster.creates()).toBe(replicas)
  const mine = await machinesOf(cluster)
  const uids = new Map(mine.map(({ metadata }) => [metadata.name, metadata.uid] as const))
  return { uids, alive: made.map(instanceOf).toSorted() }
}

async function machinesOf(cluster: CloudCluster): Promise<Machine[]> {
  return (await cluster.list<Machine>(machines)).filter(({ spec }) => spec.clusterName === cluster.name)
}

/** Moves the manager's clock this number of times by five minutes; each time it reconciles everything. */
async function later(one: CloudsRig, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    one.lab.manager.kill('SIGUSR2')
    await one.each(async (cluster) => {
      const { metadata } = (await infraCluster(cluster)) ?? {}
      await cluster.wake(cluster.clusterKind, cluster.name)
      for (const machine of await cluster.infraMachines())
        await cluster.wake(cluster.machineKind, machine.metadata.name)
      expect(metadata?.name).toBe(cluster.name)
    })
  }
}

async function infraCluster(cluster: CloudCluster): Promise<InfraCluster | undefined> {
  const all = await cluster.list<InfraCluster>(cluster.clusterKind)
  return all.find(({ metadata }) => metadata.name === cluster.name)
}

interface Accounts {
  readonly environment: NodeJS.ProcessEnv
  readonly theirs: string
  readonly ours: string
}

function accountsOf(other: Accounts | undefined): Accounts {
  if (!other) throw new Error('This cloud has no other account.')
  return other
}

/** Before its first list: the keys alone show it. */
async function saysBothAccounts(cluster: CloudCluster, accounts: Accounts | undefined): Promise<void> {
  const lists = cluster.lists()
  await patiently('the infrastructure cluster says so', async () => {
    const object = await infraCluster(cluster)
    const ready = findCondition(object?.status?.conditions, 'Ready')
    expect(ready).toMatchObject({ status: 'False', reason: 'CredentialsDenied' })
    expect(ready?.message).toContain(accounts?.theirs)
    expect(ready?.message).toContain(accounts?.ours)
    expect(object?.metadata.annotations?.[annotations.account]).toBe(accounts?.ours)
  })
  expect(cluster.lists()).toBe(lists)
}

async function saysProvisioned(cluster: CloudCluster): Promise<void> {
  await patiently('the infrastructure cluster is well', async () => {
    const ready = findCondition((await infraCluster(cluster))?.status?.conditions, 'Ready')
    expect(ready).toMatchObject({ status: 'True', reason: 'Provisioned' })
  })
}

/** Returns its name when the infra machine is being deleted. */
async function deleteOne(cluster: CloudCluster): Promise<string> {
  const [first] = await machinesOf(cluster)
  const name = first?.metadata.name ?? ''
  await cluster.deleteMachine(name)
  await patiently('the infra machine is asked to go, and says why it does not', async () => {
    const machine = (await cluster.infraMachines()).find(({ metadata }) => metadata.name === name)
    expect(machine?.metadata.deletionTimestamp).toBeDefined()
    expect(readyOf(machine)?.message).toMatch(/The credentials belong to account/)
  })
  return name
}

async function nothingHasChanged(
  cluster: CloudCluster,
  { before, deleted }: { before: Before | undefined; deleted: string | undefined },
): Promise<void> {
  const ids = cluster.cloud.alive().map(({ id }) => id)
  expect(ids.toSorted()).toEqual(before?.alive)
  expect(cluster.creates(), 'no create').toBe(replicas)
  expect(cluster.calls(cluster.cloud.endAction), 'no end').toBe(0)
  const infra = await cluster.infraMachines()
  const gone = infra.find(({ metadata }) => metadata.name === deleted)
  expect(gone?.metadata.finalizers).toContain(finalizers.machine)
  const served = infra.filter(({ metadata }) => before?.uids.has(metadata.name))
  expect(served.map(({ status }) => status?.instanceState)).toEqual(served.map(() => 'running'))
  const living = served.filter((machine) => machine !== gone)
  expect(living.map((machine) => readyOf(machine)?.reason)).toEqual(living.map(() => 'Running'))
  const kept = (await machinesOf(cluster)).filter(({ metadata }) => before?.uids.get(metadata.name) === metadata.uid)
  expect(kept, 'none is replaced').toHaveLength(replicas)
}
