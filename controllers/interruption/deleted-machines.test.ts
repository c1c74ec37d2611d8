import { beforeEach, expect, it } from 'vitest'
import { InterruptionWorld } from '../../test/support/worlds/interruption-world.ts'
import { ofDetach } from './priorities.ts'

let world: InterruptionWorld
beforeEach(() => {
  world = new InterruptionWorld()
  world.putMachine('m1')
})

it('a Machine needs no event of our delete to leave its MachineSet', async () => {
  void world.notice()
  await world.pass()
  expect([world.isDeleting, world.controller]).toEqual([true, 'Cluster'])
})

it('a Machine leaves its MachineSet later, while the deletes of others wait', async () => {
  world.isBusy = true
  void world.notice()
  expect(await world.pass()).toMatchObject({ requeueAfterMs: 0, priority: ofDetach })
  expect([world.isDeleting, world.controller]).toEqual([true, 'MachineSet'])
  await world.settle()
  expect(world.controller).toBe('Cluster')
})

it('a Machine needs no event of our delete to leave its MachineSet after those of others', async () => {
  world.lateMachine = world.machine
  world.isBusy = true
  void world.notice()
  await world.pass()
  await world.pass()
  expect([world.isDeleting, world.controller]).toEqual([true, 'Cluster'])
  const { length } = world.apiserver.writes
  await world.settle()
  expect(world.apiserver.writes).toHaveLength(length)
})

it('a Machine that has the name of a deleted one is another Machine', async () => {
  world.isBusy = true
  void world.notice()
  await world.pass()
  world.putMachine('m1', { uid: 'another' })
  await world.settle()
  expect([world.isDeleting, world.controller]).toEqual([false, 'MachineSet'])
})
