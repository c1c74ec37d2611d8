import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { clusters, externalControlPlanes, machineDeployments, machines } from '../../api/kinds.ts'
import type { KubeObject } from '../../api/meta.ts'
import { deleteNamespace } from '../lab/namespace.ts'
import type { Hold } from '../simulators/kit/faults/faults.ts'
import { CloudsRig } from './rigs/clouds-rig.ts'
import { moveIn } from './rigs/neighbours.ts'
import { patiently } from './seen/patiently.ts'

let rig: CloudsRig
beforeEach(async () => {
  rig = await CloudsRig.start(inject('cluster'))
  await rig.startManager()
})
afterEach(() => rig[Symbol.asyncDispose]())

/** The progress of each of three launches when the Cluster is deleted, and what follows. */
const cutShort = [
  // Nothing is created yet.
  { when: 'before', goOn: (held: Hold) => held.release() },
  // It is created, and not answered yet.
  { when: 'after', goOn: (held: Hold) => held.release() },
  // It is created, and the answer is lost.
  { when: 'after', goOn: (held: Hold) => held.drop() },
] as const

it('Clusters deleted while their machines launch: nothing is left', async () => {
  await rig.each(async (one) => {
    const { control, createAction } = one.cloud
    const launches = cutShort.map(({ when, goOn }) => ({ held: control.hold(createAction, when), goOn }))
    await one.apply(launches.length)
    await Promise.all(launches.map(({ held }) => held.reached))
    await one.lab.client.delete(clusters, { namespace: one.namespace, name: one.name }, {}, one.lab.ctx)
    await patiently('core wants the machines gone', async () => {
      const leaving = (await one.infraMachines()).map(({ metadata }) => metadata.deletionTimestamp !== undefined)
      expect(leaving).toEqual(launches.map(() => true))
    })
    for (const { held, goOn } of launches) goOn(held)
    await patiently('everything that somebody may delete is gone', async () => {
      const left = await Promise.all([one.machineKind, one.clusterKind].map((kind) => one.list<KubeObject>(kind)))
      expect(left.flat().map(({ metadata }) => metadata.name)).toEqual([])
    })
    expect(one.cloud.bought()).toHaveLength(launches.length)
    expect(one.cloud.remains()).toEqual([])
  })
  const kinds = [clusters, machineDeployments, machines, externalControlPlanes]
  await patiently('core is done with all of them', async () => {
    const left = await Promise.all(kinds.map((kind) => rig.list<KubeObject>(kind)))
    expect(left.flat().map((object) => object.metadata.name)).toEqual([])
  })
})

it.each([
  { order: 'in any order', first: () => false },
  { order: 'Secrets first', first: (kind: string) => kind === 'Secret' },
  { order: 'Clusters and what they are made of first', first: (kind: string) => /Cluster$|ControlPlane$/.test(kind) },
])(
  'a namespace with a cluster in each cloud deleted whole, $order: only what others have is left',
  async ({ first }) => {
    const neighbours = await rig.each(async (one) => {
      await one.apply(1)
      const [model] = await one.running(1)
      return moveIn(one, model)
    })
    await deleteNamespace(rig.namespace, rig.lab.client, { first, timeoutMs: 180_000 }, rig.lab.ctx)
    for (const { areAlone } of neighbours) await areAlone()
  },
)
