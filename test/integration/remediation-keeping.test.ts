import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { findCondition, type Condition } from '../../api/conditions.ts'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import { interruptionPolicies, machineHealthChecks, machines } from '../../api/kinds.ts'
import { core, machineLabels, remediationDue } from '../../api/labels.ts'
import type { MachineHealthCheck } from '../../api/machine.ts'
import { healthCheckName } from '../../controllers/remediation/health-check.ts'
import { eventually } from '../lab/eventually.ts'
import { instanceOf } from './rigs/cloud-cluster.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

let rig: RemediationRig

beforeAll(async () => {
  rig = await RemediationRig.start(inject('cluster'))
  await rig.apply('aws', 2)
  await rig.running('aws', 2)
})

afterAll(() => rig[Symbol.asyncDispose]())

const ref = () => ({ namespace: rig.namespace, name: healthCheckName('aws') })

async function kept(): Promise<MachineHealthCheck> {
  return eventually('the health check is as it should be', async () => {
    const check = await rig.lab.client.get<MachineHealthCheck>(machineHealthChecks, ref(), rig.lab.ctx)
    expect(check.spec.selector).toEqual({ matchLabels: { [machineLabels.remediationDue]: '' } })
    expect(check.spec['checks']).toEqual({
      nodeStartupTimeoutSeconds: 0,
      unhealthyMachineConditions: [{ type: remediationDue, status: 'True', timeoutSeconds: 0 }],
    })
    return check
  })
}

async function effect(name: string): Promise<Condition | undefined> {
  const policies = await rig.list<InterruptionPolicy>(interruptionPolicies)
  return findCondition(policies.find(({ metadata }) => metadata.name === name)?.status?.conditions, 'InEffect')
}

it('the health check is made, put back as it was when it is edited or deleted, and goes where a policy says None', async () => {
  const { client, ctx } = rig.lab
  const made = await kept()
  expect(made.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['Cluster aws'])
  const patch = { spec: { selector: { matchLabels: { more: 'x' } } } }
  await client.mergePatch(machineHealthChecks, ref(), { patch }, ctx)
  const restored = await kept()
  await client.delete(machineHealthChecks, ref(), {}, ctx)
  await eventually('another is there', async () => expect((await kept()).metadata.uid).not.toBe(restored.metadata.uid))
  await rig.policy('aws', { healthCheck: 'None' }, 'none')
  await eventually('it is gone', async () => expect(await rig.healthChecks('aws')).toEqual([]))
  await client.delete(interruptionPolicies, { namespace: rig.namespace, name: 'none' }, {}, ctx)
  await kept()
})

it('of two policies for one Machine the younger says which one wins', async () => {
  const { client, ctx } = rig.lab
  const long = { backoff: { initialSeconds: 3600, maxSeconds: 3600 } }
  await rig.policy('aws', long, 'older')
  await eventually('it is in effect', async () => expect(await effect('older')).toMatchObject({ status: 'True' }))
  // Only the second of its creation shows which object is older.
  await eventually('the next second', async () => {
    const [older] = await rig.list<InterruptionPolicy>(interruptionPolicies)
    expect(Date.now() - Date.parse(older?.metadata.creationTimestamp ?? '')).toBeGreaterThan(1_000)
  })
  await rig.policy('aws', { selector: { matchLabels: { pool: 'spot' } } }, 'a-younger')
  await rig.policy('nowhere', {}, 'lost')
  await eventually('each says how it stands', async () => {
    expect(await effect('a-younger')).toMatchObject({ status: 'False', reason: 'Overlapped' })
    expect((await effect('a-younger'))?.message).toContain('InterruptionPolicy older')
    expect(await effect('lost')).toMatchObject({ status: 'Unknown', reason: 'WaitingForCluster' })
  })
  for (const name of ['older', 'a-younger', 'lost']) {
    await client.delete(interruptionPolicies, { namespace: rig.namespace, name }, {}, ctx)
  }
})

it('who keeps health checks away from a Machine is told so, and obeyed until it is taken off', async () => {
  const { client, ctx } = rig.lab
  const [machine] = await rig.infraMachines('aws')
  const { namespace, name } = machine?.metadata ?? { namespace: '', name: '' }
  const skip = (value: string | null) => ({ patch: { metadata: { annotations: { [core.skipRemediation]: value } } } })
  await client.mergePatch(machines, { namespace, name }, skip('by-hand'), ctx)
  rig.cloud('aws').control.stop(instanceOf(machine))
  const said = async () => {
    const one = (await rig.machines('aws')).find(({ metadata }) => metadata.name === name)
    return { ...one?.metadata, ...findCondition(one?.status?.conditions, remediationDue) }
  }
  await eventually('it says so', async () => {
    expect(await said()).toMatchObject({
      status: 'False',
      reason: 'RemediationSkipped',
      annotations: { [core.skipRemediation]: 'by-hand' },
    })
  })
  await client.mergePatch(machines, { namespace, name }, skip(null), ctx)
  await eventually('it waits its time', async () => expect(await said()).toMatchObject({ reason: 'BackingOff' }))
})
