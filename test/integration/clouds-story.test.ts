import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import type { KubeObject } from '../../api/meta.ts'
import { kubeletVersion } from '../simulators/kit/kubelets/node-object.ts'
import { callsBeyondPermissions } from './cases/allowed.ts'
import { instanceOf, type CloudCluster } from './rigs/cloud-cluster.ts'
import { CloudsRig } from './rigs/clouds-rig.ts'
import { coreSaysAllIsWell } from './seen/core-conditions.ts'
import { moveIn } from './rigs/neighbours.ts'
import { stoppedWhenTaken, wordsForTaken } from './seen/taken.ts'
import { getClusterApi } from './seen/printed.ts'
import { patiently } from './seen/patiently.ts'
import { countably, endAndSee } from './seen/seen.ts'

/** Of Azure alone: an extension. */
const addedLater: Readonly<Record<string, object>> = {
  azure: { vmExtensions: [{ name: 'CustomScript', publisher: 'Microsoft.Azure.Extensions', version: '2.1' }] },
}

let rig: CloudsRig
beforeEach(async () => {
  rig = await CloudsRig.start(inject('cluster'))
  await rig.startManager(countably)
})
afterEach(() => rig[Symbol.asyncDispose]())

it('a MachineDeployment of 2 in each cloud becomes instances, Nodes and labels; one is taken; all is cleaned up', async () => {
  await rig.each(async (one) => {
    const { cloud } = one
    await one.apply(2, { spec: { ...stoppedWhenTaken[cloud.name], ...addedLater[cloud.name] } })
    const running = await one.running(2)
    await patiently('each machine has what it gets later', () => {
      expect(one.calls('VirtualMachineExtensions_CreateOrUpdate')).toBe(addedLater[cloud.name] ? 2 : 0)
    })
    expect(cloud.alive()).toHaveLength(2)
    expect(one.creates()).toBe(2)
    expect(new Set(running.map(({ spec }) => spec.providerID)).size).toBe(2)
    for (const { status } of running) expect(status?.interruptible).toBe(true)
    await patiently('labels on each Node', async () => {
      const labels = (await one.nodes()).map(({ metadata }) => metadata.labels)
      expect(labels).toHaveLength(2)
      for (const label of labels) {
        expect(label).toMatchObject({
          'cluster.x-k8s.io/interruptible': '',
          'spot.cluster.x-k8s.io/capacity-type': 'Spot',
        })
      }
    })
    const [taken] = running
    const handle = instanceOf(taken)
    const bought = { capacityType: 'Spot', instanceID: expect.stringContaining(handle) as string }
    expect(taken?.status).toMatchObject(bought)
    await coreSaysAllIsWell(one)
    // Core counts again with the event of the last Node.
    await patiently('kubectl shows it', () => kubectlShowsIt(one))
    const { areAlone } = await moveIn(one, taken)

    const creates = one.creates()
    const interrupt = (id: string) => cloud.control.interrupt(id)
    const message = await endAndSee(one, { of: taken, by: interrupt, reason: /^Interrupted$/, lists: 1 })
    expect(message).toMatch(wordsForTaken[cloud.name])
    await patiently('a Warning on the machine and on its Node', async () => {
      const told = (await one.events('SpotPreemption')).filter(({ type }) => type === 'Warning')
      const about = told.map(({ involvedObject }) => involvedObject.kind).toSorted()
      expect(about).toEqual([one.machineKind.kind, 'Node'].toSorted())
    })
    await one.scaleTo(0)
    await patiently('no machine is left', async () => expect(await one.infraMachines()).toEqual([]))
    expect(one.creates()).toBe(creates)
    await one.deleteCluster()
    await areAlone()
    for (const kind of [one.machineKind, one.clusterKind]) expect(await one.list<KubeObject>(kind)).toEqual([])
  })
})

/** The output of `kubectl get cluster-api` for 2 running workers. */
async function kubectlShowsIt({ lab, namespace, name, cloud, machineKind, clusterKind }: CloudCluster): Promise<void> {
  const printed = await getClusterApi({ lab, namespace })
  const of = (kind: string) => printed.filter(({ NAME = '' }) => NAME.startsWith(`${kind.toLowerCase()}.`))
  const own = (kind: string) => of(kind).filter(({ NAME, CLUSTER }) => [CLUSTER, NAME?.split('/')[1]].includes(name))
  const two = { DESIRED: '2', CURRENT: '2', READY: '2', 'UP-TO-DATE': '2', VERSION: kubeletVersion }
  const ready = { READY: 'True', REASON: 'Provisioned' }
  const runs = { MARKET: 'Spot', TRIES: '1', STATE: 'running', READY: 'True', REASON: 'Running' }
  const core = { READY: 'True', AVAILABLE: 'True', 'UP-TO-DATE': 'True', PHASE: 'Running', VERSION: kubeletVersion }
  expect(own('Cluster')).toMatchObject([
    { AVAILABLE: 'True', 'W DESIRED': '2', 'W AVAILABLE': '2', 'W UP-TO-DATE': '2', PHASE: 'Provisioned' },
  ])
  expect(own('MachineDeployment')).toMatchObject([{ ...two, PHASE: 'Running' }])
  expect(own('MachineSet')).toMatchObject([two])
  expect(own('Machine')).toMatchObject([core, core])
  expect(own(clusterKind.kind)).toMatchObject([ready])
  expect(own(machineKind.kind)).toMatchObject([runs, runs])
  expect(own('ExternalControlPlane')).toMatchObject([{ INITIALIZED: 'true', AVAILABLE: 'True', REASON: 'Available' }])
  expect(own(`${cloud.prefix}MachineTemplate`)).toHaveLength(1)
}

it('from launch to end, the manager makes no call that docs/permissions.md does not name', async () => {
  await rig.each(async (one) => {
    await one.apply(1, { spec: addedLater[one.cloud.name] ?? {} })
    await one.running(1)
    await one.deleteCluster()
    expect(one.creates()).toBe(1)
    expect(callsBeyondPermissions(one.cloud)).toEqual([])
  })
})

it('asked to stop while machines run, the manager ends by itself, at once and clean', async () => {
  await rig.each(async (one) => {
    await one.apply(1)
    await one.running(1)
  })
  await rig.lab.manager.stop()
  expect(await rig.lab.manager.exited).toMatchObject({ code: 0, signal: null })
})
