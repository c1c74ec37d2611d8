import { afterEach, beforeEach, expect, it } from 'vitest'
import type { LabInstance } from '../lab/clouds/cloud.ts'
import type { Manifest } from '../lab/objects.ts'
import { changesIn, changesTo, lastCall } from './seen/changes.ts'
import { instanceOf, readyOf, type CloudCluster } from './rigs/cloud-cluster.ts'
import { jumpingClock } from '../lab/jumping-clock.ts'
import { CloudsRig } from './rigs/clouds-rig.ts'
import { patiently } from './seen/patiently.ts'

let one: CloudsRig
let other: CloudsRig
beforeEach(async () => {
  one = await CloudsRig.alone()
  other = await CloudsRig.alone(one)
})
afterEach(async () => {
  await other[Symbol.asyncDispose]()
  await one[Symbol.asyncDispose]()
})

it('two management clusters with the same default/cluster in the same accounts: neither touches what is the other’s', async () => {
  for (const rig of [one, other]) {
    await rig.startManager([], jumpingClock)
    await rig.each(async (cluster) => {
      await cluster.apply(0)
      await cluster.lab.apply(await namesake(cluster))
    })
  }
  const ours = await one.each(served)
  const theirs = await other.each(served)
  expect(new Set([...ours, ...theirs].flat().map(({ id }) => id)).size).toBe(8)
  const before = one.clusters.map(({ cloud }) => lastCall(cloud))

  // Long after its start each manager searches for orphans, and would end them a while later.
  for (let minutes = 0; minutes <= 20; minutes += 5) for (const rig of [one, other]) await rig.sweepLater()
  for (const [at, { cloud }] of one.clusters.entries()) {
    expect(changesIn(cloud, before[at])).toEqual([])
  }

  await one.each((cluster) => cluster.deleteCluster())
  for (const [at, { cloud }] of one.clusters.entries()) {
    expect(new Set(cloud.alive().map(({ id }) => id))).toEqual(new Set(theirs[at]?.map(({ id }) => id)))
    expect(changesTo(theirs[at] ?? [], cloud, before[at])).toEqual([])
  }
  expect(await other.each(served)).toEqual(theirs)
  await other.each((cluster) => cluster.deleteCluster())
  for (const { cloud } of one.clusters) expect(cloud.remains()).toEqual([])
})

/** A machine with the same name in both. Those of a MachineDeployment have random names. */
async function namesake(cluster: CloudCluster): Promise<Manifest[]> {
  const { name, namespace, machineKind } = cluster
  const metadata = { name: `${name}-m1`, namespace, labels: { 'cluster.x-k8s.io/cluster-name': name } }
  const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: machineKind.kind, name: metadata.name }
  const bootstrap = { dataSecretName: `${name}-spot-bootstrap` }
  const infraMachine = { apiVersion: 'spot.cluster.x-k8s.io/v1alpha1', kind: machineKind.kind, metadata }
  const machine = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata }
  return [
    { ...infraMachine, spec: await cluster.machineSpec() } as Manifest,
    { ...machine, spec: { clusterName: name, bootstrap, infrastructureRef } } as Manifest,
  ]
}

/** The running instance of the machine. Only the first cluster has Nodes, so the check does not use core. */
async function served(cluster: CloudCluster): Promise<LabInstance[]> {
  return patiently('the machine is served', async () => {
    const made = await cluster.infraMachines()
    expect(made.map((machine) => readyOf(machine)?.reason)).toEqual(['Running'])
    const ids = made.map(instanceOf)
    const instances = cluster.cloud.alive().filter(({ id }) => ids.includes(id))
    expect(instances).toHaveLength(1)
    return instances
  })
}
