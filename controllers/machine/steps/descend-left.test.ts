import { beforeEach, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { descending, descendingWorld } from '../../../test/support/worlds/descending.ts'
import type { MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await descendingWorld()
})

const { asked, tokens, passes, fallsBackTo } = descending(() => world)

it('what remains of a refused attempt is cleaned beside, and the finalizer waits for it', async () => {
  const none = new CloudError('capacity', { code: 'SkuNotAvailable', message: 'None.' })
  world.cloud.createFaults.push({ when: 'with parts', error: none }, { when: 'with parts', error: none })
  await passes()
  const [first, second, third] = [...tokens()]
  expect(asked()).toHaveLength(3)
  expect(world.attempt).toMatchObject({ n: 3, token: third })
  expect(world.attempt?.left).toContain(second)
  const stateOf = (token: string | undefined) =>
    [...world.cloud.instances.values()].find(({ tag }) => tag?.token === token)?.state
  expect(stateOf(first)).toBe('terminating')
  expect(stateOf(third)).toBe('pending')
  world.remove()
  for (const { id, tag } of world.cloud.instances.values()) if (tag?.token === third) world.cloud.set(id, 'terminated')
  await world.listed()
  await passes()
  expect(world.machine, 'the finalizer waits for the interfaces').toBeDefined()
  for (let look = 0; look < 6 && world.machine; look++) {
    for (const { id, state } of world.cloud.instances.values()) {
      if (state === 'terminating') world.cloud.set(id, 'terminated')
    }
    await world.listed()
    await passes()
  }
  expect(world.machine).toBeUndefined()
  expect([...world.cloud.instances.values()].map(({ state }) => state)).toEqual(Array(3).fill('terminated'))
})

it('what remains of a refused attempt is not forgotten, if no list has shown it when the next one begins', async () => {
  fallsBackTo({ capacityType: 'OnDemand', after: '5s' })
  const none = new CloudError('capacity', { code: 'SkuNotAvailable', message: 'None.' })
  world.cloud.createFaults.push({ when: 'with parts', error: none })
  await passes()
  const [first] = [...tokens()]
  await world.clock.advance(5_000)
  await passes()
  expect(world.attempt?.n).toBe(2)
  await world.listed()
  await passes()
  expect(world.cloud.calls).toContainEqual({ call: 'terminate', token: first })
})
