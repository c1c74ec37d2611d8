import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { clusters, externalControlPlanes, machines } from '../../api/kinds.ts'
import type { KubeObject } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import { awsClusters, awsMachines, SpotRig } from './spot-rig.ts'

let rig: SpotRig
beforeEach(async () => {
  rig = await SpotRig.start(inject('cluster'))
  await rig.startManager()
})
afterEach(() => rig[Symbol.asyncDispose]())

it('when nothing happens nothing of ours is written for a minute', { timeout: 180_000 }, async () => {
  await rig.applyExamples(3)
  await rig.running(3)
  const versions = async () => {
    const objects: KubeObject[] = []
    for (const resource of [awsMachines, awsClusters, externalControlPlanes, machines, clusters]) {
      objects.push(...(await rig.list<KubeObject>(resource)))
    }
    return objects.map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`).toSorted()
  }
  // Core and the labels of the Nodes come to rest first.
  let before: string[] = []
  await eventually('all is at rest', async () => {
    const now = await versions()
    const same = before.join() === now.join()
    before = now
    await rig.afterPolls(5)
    expect(same).toBe(true)
  })
  await rig.afterPolls(60)
  expect(await versions()).toEqual(before)
})
