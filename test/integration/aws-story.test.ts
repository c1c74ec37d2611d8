import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import type { KubeObject } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import { awsClusters, awsMachines, readyOf, SpotRig } from './spot-rig.ts'

let rig: SpotRig
beforeEach(async () => {
  rig = await SpotRig.start(inject('cluster'))
  await rig.startManager()
})
afterEach(() => rig[Symbol.asyncDispose]())

it('a MachineDeployment of 3 becomes instances, Nodes and labels; one is taken; all is cleaned up', async () => {
  await rig.applyExamples(3)
  const running = await rig.running(3)
  expect(rig.alive()).toHaveLength(3)
  expect(rig.calls('RunInstances')).toBe(3)
  expect(new Set(running.map(({ spec }) => spec.providerID)).size).toBe(3)
  for (const { status } of running) expect(status?.interruptible).toBe(true)
  await eventually('labels on each Node', async () => {
    const labels = (await rig.nodes()).map(({ metadata }) => metadata.labels ?? {})
    expect(labels).toHaveLength(3)
    for (const label of labels) {
      expect(label).toMatchObject({
        'cluster.x-k8s.io/interruptible': '',
        'spot.cluster.x-k8s.io/capacity-type': 'Spot',
        'spot.cluster.x-k8s.io/instance-type': 'm5.large',
      })
    }
  })

  const [taken] = running
  const id = taken?.spec.providerID?.split('/').at(-1) ?? ''
  rig.aws.control.interrupt(id)
  await eventually('the machine says that it was interrupted', async () => {
    const machine = (await rig.awsMachines()).find(({ spec }) => spec.providerID === taken?.spec.providerID)
    expect(readyOf(machine)).toMatchObject({ status: 'False', reason: 'Interrupted' })
    expect(readyOf(machine)?.message).toContain('Server.SpotInstanceTermination')
  })
  expect(rig.calls('RunInstances')).toBe(3)

  await rig.scaleTo(0)
  await eventually('no machine is left', async () => expect(await rig.awsMachines()).toEqual([]), { timeoutMs: 90_000 })
  await rig.deleteCluster()
  expect(rig.alive()).toEqual([])
  for (const resource of [awsMachines, awsClusters]) expect(await rig.list<KubeObject>(resource)).toEqual([])
})

it('asked to stop while machines run, the manager ends by itself, at once and clean', async () => {
  await rig.applyExamples(1)
  await rig.running(1)
  await rig.lab.manager.stop()
  expect(await rig.lab.manager.exited).toMatchObject({ code: 0, signal: null })
})
