import { expect, it } from 'vitest'
import { visibilityGraceMs } from '../../../providers/fleet/fleet.ts'
import { kind, MachineWorld } from '../../../test/machine-world.ts'

it('without its attempt, what its providerID names is gone when no list has shown it for long, and no look is claimed', async () => {
  const world = new MachineWorld()
  await world.pass()
  await world.listed()
  await world.pass()
  const providerID = world.machine?.spec.providerID ?? ''
  const { annotations: _, ...metadata } = world.machine?.metadata ?? { name: '' }
  world.apiserver.put(kind, { ...world.machine, metadata, status: {} } as never)
  world.cloud.instances.clear()
  await world.restart()
  await world.pass()
  await world.listed()
  await world.pass()
  expect(world.ready?.status).toBe('Unknown')
  await world.clock.advance(visibilityGraceMs)
  await world.pass()
  expect(world.ready).toMatchObject({
    status: 'False',
    reason: 'InstanceGone',
    message: `For 90 s no list of the account has shown an instance of this machine with the providerID ${providerID}, and the annotation that would lead to it is lost. Replace the Machine.`,
  })
  expect(world.cloud.count('find')).toBe(0)
})
