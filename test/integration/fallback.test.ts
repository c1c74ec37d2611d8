import { expect, inject, it } from 'vitest'
import { readAttempt } from '../../api/attempt.ts'
import { eventually } from '../lab/eventually.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'
import { readyOf } from './rigs/cloud-cluster.ts'

const within = { timeoutMs: 60_000 }

it('one machine falls from spot to on demand in place, and its infra machine and Node say what was bought', async () => {
  await using rig = await RemediationRig.start(inject('cluster'))
  const { control } = rig.cloud('aws')
  control.noCapacity({ market: 'spot' })
  const before = rig.creates('aws')
  await rig.apply('aws', 1, { fallback: [{ capacityType: 'OnDemand' }] })
  const [machine] = await rig.running('aws', 1)
  expect(rig.creates('aws') - before).toBe(2)
  const reading = machine && readAttempt(machine)
  expect(reading).toMatchObject({
    is: 'ours',
    attempt: { n: 2, choice: { rung: 1, capacityType: 'OnDemand' }, triedCount: 1, tried: [{ rung: 0 }] },
  })
  expect(machine?.status).toMatchObject({ capacityType: 'OnDemand', interruptible: false })
  await rig.deleteCluster('aws')
  await rig.nothingLeft('aws')
}, 120_000)

it('while everything is refused it waits in place, and runs soon after capacity is back, as the same Machine', async () => {
  await using rig = await RemediationRig.start(inject('cluster'))
  const { control } = rig.cloud('aws')
  control.noCapacity()
  await rig.policy('aws', { backoff: { initialSeconds: 8, maxSeconds: 16 } })
  await rig.apply('aws', 2, { fallback: [{ capacityType: 'OnDemand' }] })
  const machinesNow = async () =>
    (await rig.machines('aws')).map(({ metadata }) => metadata.uid ?? '').toSorted((a, b) => (a < b ? -1 : 1))
  await eventually(
    'both wait',
    async () => {
      const waiting = (await rig.infraMachines('aws')).map((one) => readyOf(one)?.reason)
      expect(waiting).toEqual(['CapacityBackoff', 'CapacityBackoff'])
    },
    within,
  )
  const uids = await machinesNow()
  control.capacityBack()
  await rig.running('aws', 2)
  expect(await machinesNow()).toEqual(uids)
}, 180_000)
