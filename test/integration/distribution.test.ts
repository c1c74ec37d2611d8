import { expect, inject, it } from 'vitest'
import type { InfraMachine } from '../../api/machine.ts'
import { leastOnDemand } from '../../api/rules/capacity/distribution.ts'
import { eventually } from '../lab/eventually.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

const distribution = { onDemandBase: 2, onDemandPercentAboveBase: 20 }
const machines = 50
const taken = 5

const onDemandAmong = (all: readonly InfraMachine[]) =>
  all.filter(({ status }) => status?.capacityType === 'OnDemand').length

it('of 50 Machines that choose at once exactly the share is on demand, and again when five on spot are replaced', async () => {
  await using rig = await RemediationRig.start(inject('cluster'))
  await rig.policy('aws', { minHealthySeconds: 0 })
  const fallback = [{ capacityType: 'OnDemand', after: '10h' }]
  await rig.apply('aws', machines, { spotMarketOptions: {}, fallback, distribution })
  const first = await rig.running('aws', machines)
  expect(onDemandAmong(first)).toBe(leastOnDemand(machines, distribution))

  const lost = first.filter(({ status }) => status?.capacityType === 'Spot').slice(0, taken)
  const names = lost.map(({ metadata }) => metadata.name)
  expect(names).toHaveLength(taken)
  for (const machine of lost) rig.interrupt('aws', machine)
  const isGone = async () => {
    const now = (await rig.infraMachines('aws')).map(({ metadata }) => metadata.name)
    expect(now.filter((name) => names.includes(name))).toEqual([])
  }
  await eventually('those that were taken back are gone', isGone, { timeoutMs: 120_000 })
  const then = await rig.running('aws', machines)
  expect(onDemandAmong(then)).toBe(leastOnDemand(machines, distribution))
  expect(rig.creates('aws'), 'nothing was bought twice').toBe(machines + taken)
})
