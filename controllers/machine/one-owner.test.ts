import { describe, expect, it } from 'vitest'
import { annotations } from '../../api/labels.ts'
import type { Machine } from '../../api/machine.ts'
import { MachineWorld, kind } from '../../test/support/worlds/machine-world.ts'

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

describe('a Machine that is given another infra machine', () => {
  /** `m1-b` has it as its owner too: core does that with what a Machine refers to. */
  const other = (more: object = {}) => ({
    metadata: { namespace: 'default', name: 'm1-b', uid: 'u9', ownerReferences: [machineOwner] },
    spec: {},
    ...more,
  })
  const machineOwner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'm1', uid: 'uid-m1' }
  const attemptOf = (more: object) => ({
    [annotations.attempt]: JSON.stringify({
      for: 'default/m1-b',
      owner: 'owner-1',
      n: 1,
      token: 'token-b',
      scope: { cloud: 'aws', identity: 'default', region: 'us-east-1' },
      startedAt: '2026-01-01T00:00:00Z',
      ...more,
    }),
  })

  it.each([
    ['has an attempt without an answer', attemptOf({}), {}],
    ['has an instance', attemptOf({ handle: 'i-9' }), {}],
    ['has a providerID', {}, { spec: { providerID: 'aws:///us-east-1a/i-9' } }],
  ])('gets no second instance while the first %s', async (_, noted, more) => {
    const world = new MachineWorld()
    const first = other(more)
    world.apiserver.put(kind, { ...first, metadata: { ...first.metadata, annotations: noted } })
    await pass(world)
    expect(world.cloud.count('create')).toBe(0)
    expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'OwnershipConflict' })
    expect(world.ready?.message).toBe(
      'Machine m1 has or may have an instance already, which belongs to AWSMachine m1-b. Delete AWSMachine m1-b first.',
    )
    world.apiserver.remove(kind, 'default/m1-b')
    await pass(world)
    expect(world.cloud.count('create')).toBe(1)
  })

  it.each([
    ['was refused', attemptOf({ refused: { kind: 'capacity', code: 'c', message: 'm' } })],
    ['has asked for nothing', {}],
  ])('gets its instance where the first %s', async (_, noted) => {
    const world = new MachineWorld()
    const first = other()
    world.apiserver.put(kind, { ...first, metadata: { ...first.metadata, annotations: noted } })
    await pass(world)
    expect(world.cloud.count('create')).toBe(1)
  })
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

const remove = (world: MachineWorld) => world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:00:00Z')

function giveOwnerId(world: MachineWorld, ownerId: string): void {
  const cluster = world.apiserver.get('Cluster', 'default/c1')
  const metadata = { ...cluster?.metadata, annotations: { [annotations.ownerId]: ownerId } }
  world.apiserver.put('Cluster', { ...cluster, metadata } as never)
}

describe('a machine whose Cluster has got another owner id', () => {
  it.each([{ accepting: true }, { accepting: false }])(
    'ends the instance that its own attempt names (the cloud says yes first: $accepting)',
    async ({ accepting }) => {
      const world = new MachineWorld()
      world.cloud.accepting = accepting
      await pass(world)
      const id = world.attempt?.handle ?? ''
      giveOwnerId(world, 'owner-2')
      remove(world)
      await pass(world)
      expect(world.cloud.instances.get(id)?.state).toBe('terminating')
      expect(world.machine?.metadata.finalizers).toHaveLength(1)
      world.cloud.set(id, 'terminated')
      await pass(world)
      expect(world.machine).toBeUndefined()
    },
  )

  it('buys no second one, and nothing advises what would', async () => {
    const world = new MachineWorld()
    world.cloud.accepting = true
    await pass(world)
    giveOwnerId(world, 'owner-2')
    await pass(world)
    expect(world.cloud.instances.size).toBe(1)
    expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'OwnershipConflict' })
    expect(world.ready?.message).not.toContain('annotation is removed')
    expect(world.ready?.message).toContain('owner-1')
    giveOwnerId(world, 'owner-1')
    await pass(world)
    expect(world.ready?.reason).not.toBe('OwnershipConflict')
  })
})

describe('a young machine of which no list shows the instance yet', () => {
  const young = async (): Promise<MachineWorld> => {
    const world = new MachineWorld()
    world.cloud.accepting = true
    await world.listed()
    await world.pass()
    await world.pass()
    expect(world.cloud.instances.size).toBe(1)
    for (const id of world.cloud.instances.keys()) world.cloud.invisible.add(id)
    return world
  }
  const annotate = (world: MachineWorld, attempt: string | undefined) => {
    const { metadata, ...rest } = world.machine as NonNullable<typeof world.machine>
    const noted = attempt === undefined ? {} : { [annotations.attempt]: attempt }
    world.apiserver.put(kind, { ...rest, metadata: { ...metadata, annotations: noted } })
  }

  it('has its attempt taken away: nothing is bought while something may come of it, and then it is adopted', async () => {
    const world = await young()
    const token = world.attempt?.token
    annotate(world, undefined)
    for (let n = 0; n < 5; n++) await pass(world, 1)
    expect(world.cloud.instances.size).toBe(1)
    expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'Launching' })
    world.cloud.invisible.clear()
    await pass(world)
    expect(world.cloud.instances.size).toBe(1)
    expect(world.attempt?.token).toBe(token)
  })

  it('has its attempt garbled and the annotation removed as it is told: nothing is bought either', async () => {
    const world = await young()
    annotate(world, '{')
    await pass(world, 1)
    expect(world.ready?.message).toContain('until the annotation is removed')
    annotate(world, undefined)
    for (let n = 0; n < 5; n++) await pass(world, 1)
    expect(world.cloud.instances.size).toBe(1)
    world.cloud.invisible.clear()
    await pass(world)
    expect(world.cloud.instances.size).toBe(1)
  })

  it('is deleted without its attempt: it is let go only when nothing can come of that any more', async () => {
    const world = await young()
    annotate(world, undefined)
    remove(world)
    await pass(world, 4)
    expect(world.machine?.metadata.finalizers).toHaveLength(1)
    world.cloud.invisible.clear()
    await pass(world)
    const [instance] = world.cloud.instances.values()
    expect(instance?.state).toBe('terminating')
  })

  it('gets one when nothing came of what was asked for', async () => {
    const world = await young()
    world.cloud.instances.clear()
    annotate(world, undefined)
    for (let n = 0; n < 12; n++) await pass(world, 1)
    expect(world.cloud.instances.size).toBe(1)
  })
})
