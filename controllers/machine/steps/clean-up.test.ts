import { beforeEach, expect, it } from 'vitest'
import { readAttempt } from '../../../api/attempt.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { MachineWorld } from '../../../test/support/worlds/machine-world.ts'

const noCapacity = new CloudError('capacity', { code: 'cannot_start_capacity', message: 'There is no capacity.' })

let world: MachineWorld
let id: string
beforeEach(async () => {
  world = new MachineWorld()
  world.cloud.accepting = true
  await world.pass()
  await world.listed()
  await world.pass()
  id = [...world.cloud.instances.keys()][0] ?? ''
})

const attempt = () => {
  const reading = world.machine ? readAttempt(world.machine) : undefined
  return reading?.is === 'ours' ? reading.attempt : undefined
}

it('has a handle at once, and a providerID only when the cloud has started the instance', async () => {
  expect(attempt()?.handle).toBe(id)
  expect(world.machine?.spec.providerID).toBeUndefined()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'InstanceStarting' })
  world.cloud.set(id, 'running', { started: true })
  await world.listed()
  await world.pass()
  expect(world.machine?.spec.providerID).toContain(id)
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
})

it('refused after the yes: the machine fails once with the reason, and what is left goes at once', async () => {
  world.cloud.set(id, 'stopped', { failure: noCapacity })
  await world.listed()
  await world.pass()
  expect(attempt()?.refused).toMatchObject({ kind: 'capacity', code: 'cannot_start_capacity' })
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InsufficientCapacity' })
  expect(world.cloud.instances.get(id)?.state).toBe('terminating')
  await world.listed()
  await world.pass()
  world.cloud.instances.delete(id)
  await world.listed()
  await world.pass()
  expect(world.cloud.count('create')).toBe(1)
  expect(world.cloud.count('terminate')).toBe(1)
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InsufficientCapacity' })
  expect(world.machine?.spec.providerID).toBeUndefined()
})

it('is never asked for again after that, in another process neither', async () => {
  world.cloud.set(id, 'terminated', { failure: noCapacity })
  await world.listed()
  await world.pass()
  await world.restart()
  await world.listed()
  await world.pass()
  expect(world.cloud.count('create')).toBe(1)
  expect(world.cloud.count('terminate')).toBe(0)
})

it('what a refused attempt left besides the instance goes too, with one call for many passes', async () => {
  world.cloud.set(id, 'stopped', { failure: noCapacity })
  await world.listed()
  await world.pass()
  expect(world.cloud.count('terminate')).toBe(1)
  world.cloud.set(id, 'leftover')
  await world.listed()
  for (let i = 0; i < 20; i++) {
    await world.pass()
    expect(world.cloud.count('terminate')).toBe(2)
  }
})
