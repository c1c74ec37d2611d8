import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { externalControlPlanes } from '../../api/kinds.ts'
import type { KubeObject } from '../../api/meta.ts'
import { changesIn, changesTo, lastCall } from './seen/changes.ts'
import { instanceOf, type CloudCluster } from './rigs/cloud-cluster.ts'
import { jumpingClock } from '../lab/jumping-clock.ts'
import { CloudsRig } from './rigs/clouds-rig.ts'
import { makeOrphan } from './rigs/neighbours.ts'
import { patiently } from './seen/patiently.ts'

const label = 'cluster.x-k8s.io/watch-filter'
let red: CloudsRig
let blue: CloudsRig
beforeEach(async () => {
  red = await CloudsRig.start(inject('cluster'))
  blue = await CloudsRig.beside(red)
})
afterEach(async () => {
  await blue[Symbol.asyncDispose]()
  await red[Symbol.asyncDispose]()
})

it('two managers of all namespaces with a watch filter each: neither touches or ends what is the other’s', async () => {
  await red.each((one) => one.apply(1, { labels: { [label]: 'red' } }))
  await blue.each((one) => one.apply(1, { labels: { [label]: 'blue' } }))
  for (const rig of [red, blue]) await rig.each(madeByCore)
  await start(red, 'red')
  const ours = await red.each(async (one) => (await one.running(1)).map(instanceOf).sort())
  await blueIsUntouched()
  await start(blue, 'blue')
  const theirs = await blue.each(async (one) => (await one.running(1)).map(instanceOf).sort())
  for (const { cloud } of red.clusters) expect(cloud.alive()).toHaveLength(2)

  // Red no longer sees its machines, and blue sees them without their cluster.
  await red.each((one) => relabel(one, 'blue'))
  const orphans = await blue.each(makeOrphan)
  const before = red.clusters.map(({ cloud }) => lastCall(cloud))
  await blue.lab.manager.stop()
  await red.sweepLong()
  for (const [at, { cloud }] of red.clusters.entries()) expect(changesIn(cloud, before[at]), 'by red').toEqual([])
  await start(blue, 'blue')
  await Promise.all(orphans.map(({ wasSeen }) => wasSeen()))
  await blue.sweepLong()
  await patiently('blue ends what is its own and belongs to no machine', async () => {
    await blue.sweepLater()
    for (const [at, { cloud }] of red.clusters.entries()) {
      const left = [...(ours[at] ?? []), ...(theirs[at] ?? [])].sort()
      expect(
        cloud
          .alive()
          .map(({ id }) => id)
          .sort(),
      ).toEqual(left)
      const others = cloud.alive().filter(({ id }) => id !== orphans[at]?.id)
      expect(changesTo(others, cloud, before[at])).toEqual([])
    }
  })
  expect(await red.each(async (one) => (await one.infraMachines()).map(instanceOf).sort())).toEqual(ours)

  await red.each((one) => relabel(one, 'red'))
  await red.each((one) => one.deleteCluster())
  for (const [at, { cloud }] of red.clusters.entries()) {
    expect(
      cloud
        .alive()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(theirs[at])
  }
  await blue.each((one) => one.deleteCluster())
  for (const { cloud } of red.clusters) expect(cloud.remains()).toEqual([])
})

async function start(rig: CloudsRig, filter: string): Promise<void> {
  await rig.startManager(['--namespace', '', '--watch-filter', filter], jumpingClock)
}

async function madeByCore(one: CloudCluster): Promise<void> {
  await patiently('core has made all machines', async () => expect(await one.infraMachines()).toHaveLength(1))
}

/** No object has anything of ours: no finalizer, no annotation, no condition. */
async function blueIsUntouched(): Promise<void> {
  await red.each((one) => one.afterPolls(3))
  await blue.each(async (one) => {
    for (const kind of [one.machineKind, one.clusterKind, externalControlPlanes]) {
      for (const { metadata, ...rest } of await one.list<KubeObject & { status?: object }>(kind)) {
        expect(JSON.stringify(metadata.annotations ?? {})).not.toContain('spot.cluster.x-k8s.io/')
        expect(JSON.stringify(metadata.finalizers ?? [])).not.toContain('spot.cluster.x-k8s.io/')
        expect(rest.status ?? {}).toEqual({})
      }
    }
  })
  expect(red.lab.manager.logs()).not.toContain(blue.namespace)
}

/** Labels all machines as a user would: core copies the label to Machines and infra machines, and replaces none. */
async function relabel(one: CloudCluster, filter: string): Promise<void> {
  await one.patchDeployment({ spec: { template: { metadata: { labels: { [label]: filter } } } } })
  await patiently(`the machines are ${filter}`, async () => {
    const labels = (await one.infraMachines()).map(({ metadata }) => metadata.labels?.[label])
    expect(new Set(labels)).toEqual(new Set([filter]))
  })
}
