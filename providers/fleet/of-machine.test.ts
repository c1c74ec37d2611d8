import { expect, it } from 'vitest'
import type { OwnershipTag } from '../../api/ownership.ts'
import { FleetWorld } from '../../test/support/worlds/fleet-world.ts'
import { machineDigest, tagOf } from '../shared/ownership.ts'

const ours = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }

it.each<[string, OwnershipTag, number]>([
  ['its own', tagOf(ours), 1],
  ['of another owner', tagOf({ ...ours, owner: 'ownertwo02' }), 0],
  ['of another machine', tagOf({ ...ours, machine: 'default/m2' }), 0],
  [
    'of another machine whose digest is the same',
    { ...tagOf({ ...ours, machine: 'default/m2' }), machine: machineDigest('default/m1') },
    0,
  ],
])('of what a list shows a machine is given what is %s', async (_, tag, count) => {
  await using world = new FleetWorld()
  const { id } = await world.make('default/m1')
  world.cloud.set(id, 'running', { tag })
  const fleet = world.use('AWSMachine default/m1')
  await world.clock.advance(0)
  expect(fleet.ofMachine(ours)).toHaveLength(count)
})
