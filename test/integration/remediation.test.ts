import { expect, inject, it } from 'vitest'
import { machineHealthChecks, nodes } from '../../api/kinds.ts'
import { core } from '../../api/labels.ts'
import type { KubeObject } from '../../api/meta.ts'
import { labCloudNames, type LabCloudName } from '../lab/clouds/start.ts'
import { eventually } from '../lab/eventually.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

/** Stopped if the cloud can, so that something has to end it. */
const stoppedWhenTaken: Partial<Record<LabCloudName, object>> = {
  azure: { spotVMOptions: { evictionPolicy: 'Deallocate' } },
}

// A test here mostly waits for core, so they run together.
it.concurrent('on each cloud, one of a MachineDeployment is preempted: it is replaced, and nothing is left', async () => {
  await using rig = await RemediationRig.start(inject('cluster'), { clouds: labCloudNames })
  const isReplaced = async (name: LabCloudName) => {
    const before = rig.creates(name)
    await rig.policy(name, { minHealthySeconds: 0 })
    await rig.apply(name, 2, stoppedWhenTaken[name])
    const [taken] = await rig.running(name, 2)
    rig.interrupt(name, taken)
    await rig.running(name, 2, taken)
    expect(rig.creates(name) - before).toBe(3)
    await rig.deleteCluster(name)
    await rig.nothingLeft(name)
    await eventually('no health check is left', async () => expect(await rig.healthChecks(name)).toEqual([]))
  }
  await Promise.all(labCloudNames.map(isReplaced))
})

it.concurrent('no capacity: somebody else’s health check waits too, one tries for all, and all run one step after it is back', async () => {
  await using rig = await RemediationRig.start(inject('cluster'))
  const { control } = rig.cloud('aws')
  await rig.policy('aws', { backoff: { initialSeconds: 8, maxSeconds: 16 } })
  await naiveHealthCheck(rig)
  control.noCapacity()
  await rig.apply('aws', 4)
  const allWait = async () => {
    const due = await rig.due('aws')
    expect(due.map((one) => one?.reason)).toEqual(Array(4).fill('BackingOff'))
    expect(due[0]?.message).toMatch(
      /^InsufficientCapacity: m5\.large spot in us-east-1\w; next try \d\d:\d\d:\d\d UTC, attempt \d\.$/,
    )
  }
  await eventually('all wait', allWait, { timeoutMs: 90_000 })
  const [before, steps] = [rig.creates('aws'), await failures(rig)]
  await eventually('two more tries have failed', async () => expect(await failures(rig)).toBe(steps + 2), {
    timeoutMs: 120_000,
  })
  expect(rig.creates('aws') - before).toBe(2)
  rig.lab.manager.kill()
  await rig.lab.manager.exited
  await rig.startManager()
  control.capacityBack()
  await rig.running('aws', 4)
  expect(rig.creates('aws') - before).toBe(2 + 4)
  await eventually('nobody holds them any more', async () => {
    const held = (await rig.machines('aws')).map(({ metadata }) => metadata.annotations?.[core.skipRemediation])
    expect(held).toEqual(Array(4).fill(undefined))
  })
  await rig.deleteCluster('aws')
})

async function failures(rig: RemediationRig): Promise<number> {
  const [group] = Object.values(await rig.backoff('aws'))
  return group?.failures ?? 0
}

/** A common policy: it makes core delete Machines that do not come up, for ever. */
async function naiveHealthCheck({ lab, namespace }: RemediationRig): Promise<void> {
  const metadata = { name: 'naive', namespace, labels: { [core.clusterName]: 'aws' } }
  const spec = {
    clusterName: 'aws',
    selector: { matchLabels: { [core.clusterName]: 'aws' } },
    checks: {
      nodeStartupTimeoutSeconds: 30,
      unhealthyMachineConditions: [{ type: 'InfrastructureReady', status: 'False', timeoutSeconds: 4 }],
    },
  }
  await lab.client.create(machineHealthChecks, { metadata, spec } as KubeObject, lab.ctx)
}

it.concurrent('a machine that ended soon after it came up waits, though its Node is deleted by another', async () => {
  await using rig = await RemediationRig.start(inject('cluster'), { clouds: ['gcp'] })
  await rig.policy('gcp', { backoff: { initialSeconds: 3600, maxSeconds: 3600 } }, 'patient')
  await rig.apply('gcp', 1)
  const [taken] = await rig.running('gcp', 1)
  const [machine] = await rig.machines('gcp')
  const node = machine?.status?.nodeRef?.name ?? ''
  rig.interrupt('gcp', taken)
  await eventually('the Node is marked as off', async () => {
    const { spec } = await rig.lab.client.get<KubeObject & { spec: { taints?: { key: string }[] } }>(
      nodes,
      { name: node },
      rig.lab.ctx,
    )
    expect(spec.taints?.map(({ key }) => key)).toContain('node.kubernetes.io/out-of-service')
  })
  await rig.lab.client.delete(nodes, { name: node }, {}, rig.lab.ctx)
  await eventually(
    'core has seen it',
    async () => {
      const [seen] = await rig.list<{ status?: { conditions?: { type: string; reason: string }[] } }>(
        { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines', kind: 'Machine', namespaced: true },
        'gcp',
      )
      const ready = seen?.status?.conditions?.find(({ type }) => type === 'NodeReady')
      expect(ready?.reason).toBe('NodeDeleted')
    },
    { timeoutMs: 60_000 },
  )
  await eventually('it waits, and is not drained when it goes', async () => {
    const [still] = await rig.machines('gcp')
    expect(still?.metadata).toMatchObject({
      name: machine?.metadata.name,
      annotations: {
        [core.excludeNodeDraining]: 'spot-instance-ended',
        [core.excludeVolumeDetach]: 'spot-instance-ended',
      },
    })
    expect(still?.metadata.deletionTimestamp).toBeUndefined()
    expect((await rig.due('gcp'))[0]).toMatchObject({ status: 'False', reason: 'BackingOff' })
  })
  await rig.deleteCluster('gcp')
})
