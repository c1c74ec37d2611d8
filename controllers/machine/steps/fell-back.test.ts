import { expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

it('when the instance runs, an event says what it is and what was refused, and says it once', async () => {
  const world = await MachineWorld.begun()
  world.apiserver.put(kind, {
    ...(world.machine as InfraMachine),
    spec: { fallback: [{ capacityType: 'OnDemand' }] },
  } as never)
  const error = new CloudError('capacity', { code: 'InsufficientInstanceCapacity', message: 'There is none.' })
  world.cloud.createFaults.push({ when: 'before', error })
  while (world.cloud.instances.size === 0) await world.pass()
  const told = () => world.events.filter(({ reason }) => reason === 'FellBack')
  expect(told()).toEqual([])
  const [id = ''] = world.cloud.instances.keys()
  for (const state of ['running', 'pending', 'running'] as const) {
    world.cloud.set(id, state)
    await world.listed()
    await world.pass()
  }
  const message = `Instance ${id} is m5.large on demand in us-east-1a, after a refusal. It was InsufficientInstanceCapacity of m5.large spot in us-east-1a.`
  expect(told()).toMatchObject([{ type: 'Normal', message }])
})
