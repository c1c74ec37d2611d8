import { findCondition } from '../../../api/conditions.ts'
import { writeInterruption } from '../../../api/interruption.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { staleReadMs } from '../../../providers/wire/limits.ts'
import type { InstanceState } from '../../../api/instance.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import { MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
})

let id: string
beforeEach(async () => {
  await world.pass()
  id = [...world.cloud.instances.keys()][0] ?? ''
  world.cloud.set(id, 'running')
  await world.listed()
  await world.pass()
})

it('reports a running instance: provisioned, interruptible, addresses, Ready', () => {
  expect(world.machine?.status).toMatchObject({
    initialization: { provisioned: true },
    interruptible: true,
    capacityType: 'Spot',
    instanceID: id,
    instanceState: 'running',
    failureDomain: 'us-east-1a',
    addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
  })
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
})

it('keeps what was bought of an instance that is gone, whatever the cloud then says', async () => {
  world.cloud.set(id, 'terminated', { capacityType: 'OnDemand' })
  await world.listed()
  await world.pass()
  expect(world.machine?.status).toMatchObject({
    interruptible: true,
    capacityType: 'Spot',
    instanceState: 'terminated',
  })
})

it('writes nothing when nothing changed', async () => {
  const before = world.apiserver.writes.length
  for (let i = 0; i < 5; i++) {
    await world.listed()
    await world.pass()
  }
  expect(world.apiserver.writes).toHaveLength(before)
})

it.each([
  ['terminating', { code: 'Server.SpotInstanceTermination', message: 'Reclaimed.' }, true, 'Interrupted'],
  ['stopped', { code: 'Client.InstanceInitiatedShutdown', message: 'Shut down.' }, false, 'InstanceStopped'],
  ['terminated', { code: 'Client.UserInitiatedShutdown', message: 'By a user.' }, false, 'InstanceTerminated'],
] as const)('says why it is %s, in the cloud’s words, after one list', async (state, reason, interrupted, expected) => {
  world.cloud.set(id, state, { reason, ...(interrupted ? { interrupted } : {}) })
  await world.listed()
  await world.pass()
  expect(world.ready).toMatchObject({ status: 'False', reason: expected })
  expect(world.ready?.message).toContain(reason.code)
  expect(world.machine?.status?.initialization?.provisioned).toBe(true)
  expect(world.cloud.count('find')).toBe(0)
})

it('missing from a list is gone only after a direct look and a second list', async () => {
  world.cloud.instances.delete(id)
  await world.listed()
  const lists = world.cloud.count('list')
  await world.pass()
  expect(world.cloud.count('find')).toBe(1)
  expect(world.cloud.count('list')).toBe(lists + 1)
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InstanceGone' })
  expect(world.cloud.count('create')).toBe(1)
})

it('nobody takes for off what is only not shown any more: what still runs still writes', async () => {
  world.cloud.instances.delete(id)
  await world.listed()
  await world.pass()
  await world.clock.advance(staleReadMs)
  await world.pass()
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InstanceGone' })
  expect(world.machine?.status?.instanceState).toBe('running')
})

it('does not believe a list that a direct look contradicts', async () => {
  const lookPast = world.cloud.find.bind(world.cloud)
  const instance = world.cloud.instances.get(id)
  world.cloud.find = async (which, ctx) => ((await lookPast(which, ctx)) === 'absent' && instance ? instance : 'absent')
  world.cloud.invisible.add(id)
  await world.listed()
  await world.pass()
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
})

it('a silent zone makes nothing gone that is there, and hides nothing that is elsewhere', async () => {
  world.cloud.silentZones.add('us-east-1a')
  await world.listed()
  world.cloud.instances.delete(id)
  await world.listed()
  await world.pass()
  expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
  world.cloud.silentZones.clear()
  world.cloud.silentZones.add('us-east-1b')
  await world.listed()
  await world.pass()
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InstanceGone' })
})

it('leaves an instance alone that no longer carries our tags', async () => {
  world.cloud.set(id, 'running', {
    tag: tagOf({ owner: 'somebody', machine: 'default/m1', token: 'token-1' }),
  })
  await world.listed()
  await world.pass()
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'OwnershipConflict' })
})

it('labels the Node of an instance without a zone', async () => {
  world.cloud.set(id, 'running', { zone: '' })
  await world.listed()
  const machine = world.apiserver.get('Machine', 'default/m1')
  world.apiserver.put('Machine', { ...machine, status: { nodeRef: { name: 'node-1' } } } as never)
  await world.pass()
  const [written] = world.nodeWrites
  expect(written?.wanted.labels['spot.cluster.x-k8s.io/pool']).toBe('Spot.m5.large')
})

it('labels the Node that core names', async () => {
  const machine = world.apiserver.get('Machine', 'default/m1')
  world.apiserver.put('Machine', { ...machine, status: { nodeRef: { name: 'node-1' } } } as never)
  await world.pass()
  expect(world.nodeWrites).toEqual([
    {
      cluster: { namespace: 'default', name: 'c1' },
      node: 'node-1',
      wanted: {
        providerID: `aws:///us-east-1a/${id}`,
        labels: {
          'spot.cluster.x-k8s.io/capacity-type': 'Spot',
          'spot.cluster.x-k8s.io/instance-type': 'm5.large',
          'spot.cluster.x-k8s.io/pool': 'Spot.m5.large.us-east-1a',
          'cluster.x-k8s.io/interruptible': '',
        },
        isOutOfService: false,
        isInterrupted: false,
      },
    },
  ])
})

describe('a preemption', () => {
  const reason = { code: 'Server.SpotInstanceTermination', message: 'Reclaimed.' }
  const joined = () => {
    const machine = world.apiserver.get('Machine', 'default/m1')
    world.apiserver.put('Machine', { ...machine, status: { nodeRef: { name: 'node-1' } } } as never)
  }
  const taken = async (state: InstanceState) => {
    world.cloud.set(id, state, { reason, interrupted: true })
    await world.listed()
    await world.pass()
  }
  const told = () => world.events.filter(({ reason: said }) => said === 'SpotPreemption')

  it('is told on the machine and on its Node, once, however long it takes and after a restart too', async () => {
    joined()
    await taken('stopping')
    await taken('stopped')
    await world.restart()
    await world.pass()
    await taken('terminated')
    expect(told()).toMatchObject([{ type: 'Warning', message: expect.stringContaining(reason.code) as string }])
    expect(world.events.map(({ reason: said }) => said)).not.toContain('Interrupted')
    const providerID = `aws:///us-east-1a/${id}`
    const cluster = { namespace: 'default', name: 'c1' }
    const message = told()[0]?.message
    expect(world.nodeEvents).toEqual([{ cluster, node: 'node-1', providerID, reason: 'SpotPreemption', message }])
  })

  const unannounced = () => world.events.filter(({ reason: said }) => said === 'TakenWithoutNotice')

  it('that nobody announced is told as such, once', async () => {
    await taken('stopping')
    await world.restart()
    await taken('terminated')
    expect(unannounced()).toMatchObject([{ type: 'Warning' }])
  })

  it('is not unannounced after a notice of the end', async () => {
    const machine = world.apiserver.get('Machine', 'default/m1')
    const decided = { for: 'default/m1', instance: id, kind: 'Spot', source: 'SpotRequests' } as const
    const annotations = writeInterruption({ ...decided, at: '2026-01-01T00:00:00Z', act: 'Delete' })
    world.apiserver.put('Machine', { ...machine, metadata: { ...machine?.metadata, annotations } } as never)
    await taken('stopping')
    expect([told().length, unannounced().length]).toEqual([1, 0])
  })

  it('is told on the machine alone where it never became a Node', async () => {
    await taken('terminated')
    expect(told()).toHaveLength(1)
    expect(world.nodeEvents).toEqual([])
  })

  it('is not what happens to an instance that somebody stops', async () => {
    joined()
    world.cloud.set(id, 'stopped', { reason: { code: 'Client.UserInitiatedShutdown', message: 'By a user.' } })
    await world.listed()
    await world.pass()
    expect([...told(), ...world.nodeEvents]).toEqual([])
  })
})

describe('the check of the host', () => {
  const check = () => findCondition(world.machine?.status?.conditions, 'SystemStatusCheck')
  const told = () => world.events.filter(({ reason }) => reason === 'SystemStatusCheckFailed')
  const checked = async (...impaired: string[]) => {
    world.fleet().store.checked(new Map(impaired.map((one) => [one, Date.UTC(2026, 0, 1)])))
    await world.pass()
  }

  it('that passes says nothing, nor does that of another instance', async () => {
    await checked()
    await checked('i-other')
    expect([check(), told()]).toEqual([undefined, []])
  })

  it('that fails is a condition, and one event, and ends nothing; Ready stays True', async () => {
    await checked(id)
    expect(check()).toMatchObject({ status: 'False', reason: 'Impaired' })
    expect(check()?.message).toContain('since 2026-01-01T00:00:00Z')
    await checked(id)
    await world.restart()
    await world.listed()
    await world.pass()
    expect(check(), 'a process that has not asked yet repairs nothing').toMatchObject({ status: 'False' })
    await checked(id)
    expect(told()).toMatchObject([{ type: 'Warning' }])
    expect([world.ready?.status, world.cloud.count('terminate')]).toEqual(['True', 0])
  })

  it('that passes again is said, and one that fails again is told again', async () => {
    await checked(id)
    await checked()
    expect(check()).toMatchObject({ status: 'True', reason: 'Passed' })
    await checked(id)
    expect(told()).toHaveLength(2)
  })

  it('of an instance that has ended says nothing new', async () => {
    await checked(id)
    world.cloud.set(id, 'terminated')
    await world.listed()
    await checked()
    expect(check()).toMatchObject({ status: 'False' })
  })
})
