import { expect, it } from 'vitest'
import type { Machine } from '../../api/machine.ts'
import { MachineWorld, kind } from '../../test/machine-world.ts'

const pass = async (world: MachineWorld, times = 3) => {
  for (let n = 0; n < times; n++) {
    await world.listed()
    await world.pass()
  }
}

function changeMachine(world: MachineWorld, change: (machine: Machine) => object): void {
  const machine = world.apiserver.get('Machine', 'default/m1') as unknown as Machine
  world.apiserver.put('Machine', { ...machine, ...change(machine) })
}

const refTo = (ref: object) => (machine: Machine) => ({
  spec: { ...machine.spec, infrastructureRef: { ...machine.spec.infrastructureRef, ...ref } },
})

it.each([
  { of: 'another name', ref: { name: 'm1-original' }, names: 'AWSMachine m1-original' },
  { of: 'another kind', ref: { kind: 'IBMMachine' }, names: 'IBMMachine m1' },
  { of: 'another group', ref: { apiGroup: 'infrastructure.cluster.x-k8s.io' }, names: 'AWSMachine m1' },
])('nothing is launched for a copy: the Machine refers to an infra machine of $of', async ({ ref, names }) => {
  const world = new MachineWorld()
  changeMachine(world, refTo(ref))
  await pass(world)
  expect(world.cloud.count('create')).toBe(0)
  expect(world.attempt).toBeUndefined()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'OwnershipConflict' })
  expect(world.ready?.message).toContain(names)
})

it('nothing is launched where the owner reference is of an earlier Machine of that name', async () => {
  const world = new MachineWorld()
  changeMachine(world, ({ metadata }) => ({ metadata: { ...metadata, uid: 'made-anew' } }))
  await pass(world)
  expect(world.cloud.count('create')).toBe(0)
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'OwnershipConflict' })
})

it('uids that are all new, as after a move, agree', async () => {
  const world = new MachineWorld()
  changeMachine(world, ({ metadata }) => ({ metadata: { ...metadata, uid: 'moved' } }))
  const infra = world.machine
  const ownerReferences = infra?.metadata.ownerReferences?.map((owner) => ({ ...owner, uid: 'moved' })) ?? []
  world.apiserver.put(kind, { ...infra, metadata: { ...infra?.metadata, uid: 'u2', ownerReferences } } as never)
  await pass(world)
  expect(world.cloud.count('create')).toBe(1)
})

it.each([
  { of: 'another provider', ref: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'c1' } },
  { of: 'another cloud', ref: { apiGroup: 'spot.cluster.x-k8s.io', kind: 'IBMCluster', name: 'c1' } },
])('a Cluster whose infrastructure is of $of never resolves to our AWSCluster of that name', async ({ ref }) => {
  const world = new MachineWorld()
  const cluster = world.apiserver.get('Cluster', 'default/c1')
  world.apiserver.put('Cluster', { ...cluster, spec: { infrastructureRef: ref } } as never)
  await pass(world)
  expect(world.cloud.count('create')).toBe(0)
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'WaitingForCluster' })
})
