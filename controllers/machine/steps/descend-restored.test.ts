import { beforeEach, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { annotations } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import { descending, descendingWorld } from '../../../test/support/worlds/descending.ts'
import { kind, type MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await descendingWorld()
})

const { refuse, passes, fallsBackTo } = descending(() => world)

it('an attempt from an older copy of etcd, refused and waiting, adopts the instance of the one after it', async () => {
  refuse('capacity', 3)
  await passes()
  const older = world.machine as InfraMachine
  expect(world.attempt?.refused).toMatchObject({ goesOn: true })
  await world.clock.advance(30_000)
  await passes()
  const made = world.attempt
  await world.listed()
  expect(world.cloud.instances.size).toBe(1)
  const { annotations: noted } = older.metadata
  const now = world.machine as InfraMachine
  world.apiserver.put(kind, { ...older, metadata: { ...now.metadata, annotations: noted ?? {} } })
  await world.restart()
  await world.listed()
  await passes()
  await passes()
  expect(world.cloud.instances.size).toBe(1)
  expect(world.attempt).toMatchObject({ token: made?.token })
  expect(world.machine?.metadata.annotations?.[annotations.attempt]).not.toContain('refused')
})

it('an instance behind a refused attempt is adopted together with what remains of that attempt', async () => {
  const none = new CloudError('capacity', { code: 'SkuNotAvailable', message: 'None.' })
  fallsBackTo({ capacityType: 'OnDemand', after: '5s' })
  world.cloud.createFaults.push({ when: 'with parts', error: none })
  await passes()
  const older = world.attempt
  await world.clock.advance(5_000)
  await passes()
  const made = world.attempt
  const { metadata, ...rest } = world.machine as InfraMachine
  const restored = { ...metadata, annotations: { [annotations.attempt]: JSON.stringify(older) } }
  world.apiserver.put(kind, { ...rest, spec: { fallback: [{}] }, metadata: restored } as never)
  for (const { id, tag } of world.cloud.instances.values()) {
    if (tag?.token === older?.token) world.cloud.set(id, 'leftover')
  }
  await world.restart()
  await world.listed()
  await passes()
  await passes()
  expect(world.attempt).toMatchObject({ token: made?.token })
  expect(world.cloud.calls).toContainEqual({ call: 'terminate', token: older?.token })
})
