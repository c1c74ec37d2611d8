import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { externalControlPlanes } from '../../api/kinds.ts'
import type { KubeObject } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import { awsClusters, awsMachines, instanceOf, jumpingClock, machineDeployments, SpotRig } from './spot-rig.ts'
import { launchLike } from './stranger.ts'

const label = 'cluster.x-k8s.io/watch-filter'
let red: SpotRig
let blue: SpotRig
beforeEach(async () => {
  red = await SpotRig.start(inject('cluster'))
  blue = await SpotRig.beside(red)
})
afterEach(async () => {
  await blue[Symbol.asyncDispose]()
  await red[Symbol.asyncDispose]()
})

it('two managers of all namespaces with a watch filter each: neither touches or ends what is the other’s', async () => {
  await red.applyExamples(2, {}, { [label]: 'red' })
  await blue.applyExamples(2, {}, { [label]: 'blue' })
  await eventually('core has made all machines', async () => {
    expect([await red.awsMachines(), await blue.awsMachines()].map(({ length }) => length)).toEqual([2, 2])
  })
  await start(red, 'red')
  const ours = (await red.running(2)).map(instanceOf).sort()
  await blueIsUntouched()
  await start(blue, 'blue')
  const [model] = await blue.running(2)
  expect(red.aws.control.instances()).toHaveLength(4)

  // Red no longer sees its own machines, and blue sees them without their cluster.
  await relabel(red, 'blue')
  const orphan = await launchLike(red.aws, model?.metadata.name ?? '', lostBy(blue))
  await blue.lab.manager.stop()
  await sweep(red)
  expect(ended(), 'by red').toEqual([])
  await start(blue, 'blue')
  await sweep(blue)
  await eventually('blue ends what is its own and belongs to no machine', async () => {
    await blue.sweepLater()
    expect(ended()).toEqual([orphan])
  })
  expect((await red.awsMachines()).map(instanceOf).sort()).toEqual(ours)

  await relabel(red, 'red')
  const theirs = (await blue.awsMachines()).map(instanceOf).sort()
  await red.deleteCluster()
  expect(
    red
      .alive()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(theirs)
  await blue.deleteCluster()
  expect(red.alive()).toEqual([])
})

async function start(rig: SpotRig, filter: string): Promise<void> {
  await rig.startManager(['--namespace', '', '--watch-filter', filter], jumpingClock)
}

/** Nothing of ours is on any object: no finalizer, no annotation, no condition. */
async function blueIsUntouched(): Promise<void> {
  await red.afterPolls(3)
  for (const kind of [awsMachines, awsClusters, externalControlPlanes]) {
    for (const { metadata, ...rest } of await blue.list<KubeObject & { status?: object }>(kind)) {
      expect(JSON.stringify(metadata.annotations ?? {})).not.toContain('spot.cluster.x-k8s.io/')
      expect(JSON.stringify(metadata.finalizers ?? [])).not.toContain('spot.cluster.x-k8s.io/')
      expect(rest.status ?? {}).toEqual({})
    }
  }
  expect(red.lab.manager.logs()).not.toContain(blue.namespace)
}

/** All machines, as a user does it: core carries the label on to Machines and AWSMachines, and replaces none. */
async function relabel(rig: SpotRig, filter: string): Promise<void> {
  const ref = { namespace: rig.namespace, name: 'c1-spot' }
  const template = { metadata: { labels: { [label]: filter } } }
  await rig.lab.client.mergePatch(machineDeployments, ref, { patch: { spec: { template } } }, rig.lab.ctx)
  await eventually(`the machines are ${filter}`, async () => {
    const labels = (await rig.awsMachines()).map(({ metadata }) => metadata.labels?.[label])
    expect(new Set(labels)).toEqual(new Set([filter]))
  })
}

function lostBy({ namespace }: SpotRig): Record<string, string> {
  return {
    Name: 'gone',
    'spot.cluster.x-k8s.io/machine': `${namespace}/gone`,
    'spot.cluster.x-k8s.io/attempt': 'lost',
  }
}

async function sweep(rig: SpotRig): Promise<void> {
  for (let minutes = 0; minutes <= 20; minutes += 5) await rig.sweepLater()
}

function ended(): string[] {
  const calls = red.aws.control.requests().filter(({ action }) => action === 'TerminateInstances')
  return calls.flatMap(({ params }) => JSON.stringify(params).match(/i-[0-9a-f]{17}/g) ?? [])
}
