import { describe, expect, inject, test } from 'vitest'
import { machineDeployments, spotKind } from '../../api/kinds.ts'
import { eventually } from '../lab/eventually.ts'
import type { Manifest } from '../lab/objects.ts'
import { AheadRig } from './rigs/ahead-rig.ts'
import { nameOf } from './rigs/machine-watch.ts'

// A test here mostly waits for core, so they run together.
describe.concurrent('a Machine that waits at the hook goes, and nothing is left, when', () => {
  test('its MachineDeployment is deleted', async () => {
    await using rig = await AheadRig.start(inject('cluster'))
    const old = await rig.waiting(1)
    const { client, ctx } = rig.lab
    await client.delete(machineDeployments, { namespace: rig.namespace, name: 'aws-spot' }, {}, ctx)
    await rig.gone(old)
    await eventually('all of it is gone', async () => {
      expect((await rig.all()).map(nameOf)).toEqual([])
      expect((await rig.machineSets()).map(nameOf)).toEqual([])
      expect(rig.alive()).toBe(0)
    })
    await rig.end()
  })

  test('its MachineDeployment is scaled to 0', async () => {
    await using rig = await AheadRig.start(inject('cluster'))
    const old = await rig.waiting(1)
    await rig.patchDeployment({ spec: { replicas: 0 } })
    await rig.gone(old)
    await eventually('no instance is left', () => expect(rig.alive()).toBe(0))
    await rig.end()
  })

  test('its MachineDeployment is rolled out, which it does not hold up', async () => {
    await using rig = await AheadRig.start(inject('cluster'))
    const old = await rig.waiting(1)
    const [before] = await rig.machineSets()
    await rollOut(rig)
    await rig.gone(old)
    await rig.availableAgain()
    await eventually(
      'the new MachineSet has all',
      async () => {
        const sets = await rig.machineSets()
        const counts = sets.map((set) => [nameOf(set) === (before && nameOf(before)), set.status?.replicas])
        expect(counts).toHaveLength(2)
        expect(counts).toEqual(
          expect.arrayContaining([
            [true, 0],
            [false, 1],
          ]),
        )
      },
      { timeoutMs: 90_000 },
    )
    await rig.running('aws', 1)
    await rig.end()
  })

  test('its Cluster is deleted', async () => {
    await using rig = await AheadRig.start(inject('cluster'))
    const old = await rig.waiting(1)
    await rig.deleteCluster('aws')
    expect(await rig.now(old)).toBeUndefined()
    expect((await rig.machineSets()).map(nameOf)).toEqual([])
    await rig.end()
  })
})

/** A copy of the template under another name. */
async function rollOut(rig: AheadRig): Promise<void> {
  const { lab, namespace } = rig
  const kind = spotKind('AWSMachineTemplate')
  const { spec } = await lab.client.get<Manifest & { spec: object }>(kind, { namespace, name: 'aws-spot' }, lab.ctx)
  const apiVersion = `${kind.group}/${kind.version}`
  const copy = { apiVersion, kind: kind.kind, metadata: { namespace, name: 'aws-spot-2' }, spec }
  await lab.apply([copy])
  await rig.patchDeployment({ spec: { template: { spec: { infrastructureRef: { name: 'aws-spot-2' } } } } })
}
