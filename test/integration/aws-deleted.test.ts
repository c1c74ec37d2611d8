import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { clusters, externalControlPlanes, machines } from '../../api/kinds.ts'
import type { KubeObject } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import { deleteNamespace } from '../lab/namespace.ts'
import type { Hold } from '../simulators/common/faults.ts'
import { awsClusters, awsMachines, machineDeployments, SpotRig } from './spot-rig.ts'

let rig: SpotRig
beforeEach(async () => {
  rig = await SpotRig.start(inject('cluster'))
  await rig.startManager()
})
afterEach(() => rig[Symbol.asyncDispose]())

it.each([
  { how: 'before EC2 has made them', when: 'before', end: (held: Hold) => held.release() },
  { how: 'before EC2 has answered', when: 'after', end: (held: Hold) => held.release() },
  { how: 'and the answers are lost', when: 'after', end: (held: Hold) => held.drop() },
] as const)('a Cluster deleted while its machines launch, $how: nothing is left', async ({ when, end }) => {
  const launches = [rig.aws.control.hold('RunInstances', when), rig.aws.control.hold('RunInstances', when)]
  await rig.applyExamples(2)
  await Promise.all(launches.map(({ reached }) => reached))
  await rig.lab.client.delete(clusters, { namespace: rig.namespace, name: 'c1' }, {}, rig.lab.ctx)
  await eventually('core wants both machines gone', async () => {
    const leaving = (await rig.awsMachines()).map(({ metadata }) => metadata.deletionTimestamp !== undefined)
    expect(leaving).toEqual([true, true])
  })

  for (const launch of launches) end(launch)
  await eventually(
    'everything that somebody may delete is gone',
    async () => {
      const kinds = [clusters, machineDeployments, machines, awsMachines, awsClusters, externalControlPlanes]
      const left = await Promise.all(kinds.map((kind) => rig.list<KubeObject>(kind)))
      expect(left.flat().map(({ metadata }) => metadata.name)).toEqual([])
    },
    { timeoutMs: 60_000 },
  )
  expect(rig.aws.control.instances()).toHaveLength(2)
  expect(rig.alive()).toEqual([])
})

it.each([
  { order: 'in any order', first: () => false },
  { order: 'Secrets first', first: (kind: string) => kind === 'Secret' },
  { order: 'Clusters and what they are made of first', first: (kind: string) => /Cluster$|ControlPlane$/.test(kind) },
])('a namespace deleted whole, $order: nothing is left', async ({ first }) => {
  await rig.applyExamples(3)
  await rig.running(3)
  await deleteNamespace(rig.namespace, rig.lab.client, { first, timeoutMs: 90_000 }, rig.lab.ctx)
  expect(rig.aws.control.instances()).toHaveLength(3)
  expect(rig.alive()).toEqual([])
})
