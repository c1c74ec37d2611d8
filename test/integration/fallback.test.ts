import { expect, inject, it } from 'vitest'
import { readAttempt } from '../../api/attempt.ts'
import { labCloudNames, type LabCloudName } from '../lab/clouds/start.ts'
import { eventually } from '../lab/eventually.ts'
import { readyOf } from './rigs/cloud-cluster.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

const within = { timeoutMs: 60_000 }

it('on each cloud a machine falls from spot to on demand in place, and says what was bought', async () => {
  await using rig = await RemediationRig.start(inject('cluster'), { clouds: labCloudNames })
  const fallsBack = async (name: LabCloudName) => {
    rig.cloud(name).control.noCapacity({ market: 'spot' })
    const before = rig.creates(name)
    await rig.apply(name, 1, { fallback: [{ capacityType: 'OnDemand' }] })
    const [machine] = await rig.running(name, 1)
    // Each zone of the cluster is asked for spot first.
    const reading = machine && readAttempt(machine)
    const attempt = reading?.is === 'ours' ? reading.attempt : undefined
    expect(attempt).toMatchObject({ n: rig.creates(name) - before, choice: { rung: 1, capacityType: 'OnDemand' } })
    expect(attempt?.triedCount).toBe((attempt?.n ?? 0) - 1)
    expect(new Set(attempt?.tried?.map(({ rung, kind }) => `${rung} ${kind}`))).toEqual(new Set(['0 capacity']))
    expect(machine?.status).toMatchObject({ capacityType: 'OnDemand', interruptible: false })
    await rig.deleteCluster(name)
    await rig.nothingLeft(name)
  }
  await Promise.all(labCloudNames.map(fallsBack))
})

it('while everything is refused it waits in place, and runs soon after capacity is back, as the same Machine', async () => {
  await using rig = await RemediationRig.start(inject('cluster'))
  const { control } = rig.cloud('aws')
  control.noCapacity()
  await rig.policy('aws', { backoff: { initialSeconds: 8, maxSeconds: 16 } })
  await rig.apply('aws', 2, { fallback: [{ capacityType: 'OnDemand' }] })
  const uids = async () =>
    (await rig.machines('aws')).map(({ metadata }) => metadata.uid ?? '').toSorted((a, b) => (a < b ? -1 : 1))
  const bothWait = async () => {
    const reasons = (await rig.infraMachines('aws')).map((one) => readyOf(one)?.reason)
    expect(reasons).toEqual(['CapacityBackoff', 'CapacityBackoff'])
  }
  await eventually('both wait', bothWait, within)
  const before = await uids()
  control.capacityBack()
  await rig.running('aws', 2)
  expect(await uids()).toEqual(before)
})
