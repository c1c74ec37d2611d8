import { beforeEach, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { annotations } from '../../../api/labels.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
})

const refuse = (kind: RefusalKind) => {
  world.cloud.createFaults.push({ when: 'before', error: new CloudError(kind, { code: 'C', message: 'No.' }) })
}

it('a machine shows what it asks for, and how many different requests it has made', async () => {
  refuse('throttled')
  refuse('subnet')
  refuse('capacity')
  await world.pass()
  const asked = { capacityType: 'Spot', instanceType: 'm5.large', zone: expect.stringMatching(/^us-east-1/) as string }
  expect(world.machine?.status).toMatchObject({ ...asked, tries: 1 })
  expect(world.machine?.status?.failureDomain, 'core would take it as the zone of an instance').toBeUndefined()
  await world.clock.advance(60_000)
  await world.pass()
  await world.pass()
  expect(world.machine?.status).toMatchObject({ ...asked, tries: 2 })
  expect(world.ready).toMatchObject({ status: 'False', reason: 'InsufficientCapacity' })
})

it('once the cloud shows the instance, the machine shows what was bought', async () => {
  const create = world.cloud.create.bind(world.cloud)
  const bought = { capacityType: 'OnDemand', instanceType: 'm5a.large', zone: 'us-east-1f' } as const
  world.cloud.create = async (want, ctx) => ({ ...(await create(want, ctx)), ...bought })
  await world.pass()
  expect(world.machine?.status).toMatchObject({
    ...bought,
    failureDomain: 'us-east-1f',
    interruptible: false,
    tries: 1,
  })
})

it('a list that does not show what was bought changes nothing of what the machine shows', async () => {
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  const unshown = { capacityType: 'OnDemand', instanceType: '', zone: '' } as const
  world.cloud.set(id, 'running', unshown)
  await world.listed()
  await world.pass()
  const bought = { capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a', interruptible: true }
  expect(world.machine?.status).toMatchObject({ ...bought, instanceState: 'running' })
})

it('lists what was refused and what was accepted, and the same again after a move', async () => {
  world.apiserver.put(kind, { ...machine(), spec: { fallback: [{ capacityType: 'OnDemand' }] } } as never)
  refuse('capacity')
  while (world.cloud.instances.size === 0) await world.pass()
  await world.listed()
  await world.pass()
  const asked = { instanceType: 'm5.large', zone: 'us-east-1a', at: expect.any(String) as string }
  const attempts = [
    { ...asked, capacityType: 'Spot', result: 'Refused', reason: 'InsufficientCapacity', code: 'C' },
    { ...asked, capacityType: 'OnDemand', result: 'Accepted' },
  ]
  const shown = machine().status?.attempts
  expect(shown).toEqual(attempts)
  const { status: _, ...moved } = machine()
  world.apiserver.put(kind, moved)
  await world.pass()
  expect(machine().status?.attempts).toEqual(shown)
})

it('once it has told what was attempted, a pass in which nothing changes writes nothing', async () => {
  await world.pass()
  await world.listed()
  await world.pass()
  expect(machine().status?.attempts).toHaveLength(1)
  const { length } = world.apiserver.writes
  await world.pass()
  expect(world.apiserver.writes).toHaveLength(length)
})

it('an object of an older version, whose attempt names no offering, is left as it is', async () => {
  await world.pass()
  const { choice: _, offering: _offering, ...older } = world.attempt ?? {}
  const { attempts: _attempts, ...status } = machine().status ?? {}
  const { metadata } = machine()
  const annotated = { ...metadata.annotations, [annotations.attempt]: JSON.stringify(older) }
  world.apiserver.put(kind, { ...machine(), metadata: { ...metadata, annotations: annotated }, status } as never)
  await world.listed()
  await world.pass()
  expect(machine().status?.attempts).toBeUndefined()
  expect(world.ready?.reason).toMatch(/^(InstanceStarting|Running)$/)
})

function machine(): InfraMachine {
  if (!world.machine) throw new Error('There is no machine.')
  return world.machine
}
