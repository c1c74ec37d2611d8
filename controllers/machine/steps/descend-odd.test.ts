import { beforeEach, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
  spec({ fallback: [{ instanceTypes: ['m5a.large'] }, { capacityType: 'OnDemand' }] })
})

function spec(now: object): void {
  world.apiserver.put(kind, { ...(world.machine as InfraMachine), spec: now } as never)
}

const refuse = (refusedKind: RefusalKind, times = 1, code = 'InsufficientInstanceCapacity') => {
  const error = new CloudError(refusedKind, { code, message: 'There is none.' })
  for (let nth = 0; nth < times; nth++) world.cloud.createFaults.push({ when: 'before', error })
}

const asked = () => world.cloud.requests.map(({ capacityType, instanceType }) => [capacityType, instanceType].join(' '))

/** As often as it asks to be called at once. */
async function passes(): Promise<unknown> {
  for (;;) {
    const result = (await world.pass()) as { requeueAfterMs?: number } | 'done'
    if (result === 'done' || result.requeueAfterMs !== 0) return result
  }
}

it('subnets that are still full after the pause: it looks once for each rung, and waits again', async () => {
  world.places.splice(1)
  refuse('subnet')
  await passes()
  expect([asked().length, world.ready?.reason]).toEqual([1, 'CapacityBackoff'])
  const endless = new CloudError('denied', { code: 'Endless', message: 'It looks and looks.' })
  Object.defineProperty(world, 'planFault', { get: () => (world.plans > 50 ? endless : undefined) })
  world.places.length = 0
  for (let looks = 0; looks < 4; looks++) {
    await world.clock.advance(30_000)
    await passes()
  }
  expect([asked().length, world.ready?.reason]).toEqual([1, 'CapacityBackoff'])
  expect(world.plans).toBeLessThan(20)
})
