import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { eventually } from '../lab/eventually.ts'
import { RemediationRig } from './remediation-rig.ts'

let rig: RemediationRig

beforeEach(async () => {
  rig = await RemediationRig.start(inject('cluster'), ['aws'])
})

afterEach(() => rig[Symbol.asyncDispose]())

it('one of a MachineDeployment is preempted: it is replaced, and nothing is left', async () => {
  await rig.policy('aws', { minHealthySeconds: 0 })
  await rig.apply('aws', 2)
  const [taken] = await rig.running('aws', 2)
  rig.interrupt('aws', taken)
  await rig.running('aws', 2, taken)
  expect(rig.creates('aws')).toBe(3)
  await rig.deleteCluster('aws')
  await rig.nothingLeft('aws')
  await eventually('no health check is left', async () => expect(await rig.healthChecks('aws')).toEqual([]))
})
