import { beforeEach, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { termsOf } from '../../../api/rules/policy.ts'
import { scopeKey } from '../../../api/scope.ts'
import { fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { descending, descendingWorld } from '../../../test/support/worlds/descending.ts'
import type { MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await descendingWorld()
})

const { refuse, asked, tokens, passes } = descending(() => world)

it('a call without an answer is repeated with its token and choice, also when its refusal comes', async () => {
  world.cloud.createFaults.push({
    when: 'after',
    error: new CloudError('ambiguous', { code: 'Timeout', message: '?' }),
  })
  await passes()
  const { attempt } = world
  await world.clock.advance(1_000)
  await passes()
  expect(tokens().size).toBe(1)
  expect(world.cloud.instances.size).toBe(1)
  expect(world.attempt).toMatchObject({ n: 1, choice: attempt?.choice })
})

it('no next token while an earlier call of this token may have made an instance', async () => {
  world.cloud.createFaults.push({
    when: 'before',
    error: new CloudError('ambiguous', { code: 'Timeout', message: '?' }),
  })
  refuse('capacity')
  await passes()
  await world.clock.advance(1_000)
  await passes()
  expect(asked()).toHaveLength(2)
  expect(tokens().size).toBe(1)
  expect(world.attempt?.refused).toMatchObject({ goesOn: true })
  await world.clock.advance(60_000)
  await passes()
  expect(tokens().size).toBe(1)
  await world.clock.advance(120_000)
  await passes()
  await world.clock.advance(20_000)
  await passes()
  expect(tokens().size).toBe(2)
  expect(asked().slice(2), 'its pause is over by then').toEqual(['Spot m5.large'])
})

it('an attempt without an answer, whose offering is closed by now, goes on when nothing can come of it', async () => {
  world.cloud.createFaults.push({
    when: 'before',
    error: new CloudError('ambiguous', { code: 'Timeout', message: '?' }),
  })
  await passes()
  const group = `pool ${scopeKey(fakeScope)} Spot:m5.large:us-east-1a`
  const tell = () =>
    world.memory.tell(
      { cluster: 'default/c1', policyKey: 'no policy' },
      { group, at: world.clock.now(), terms: termsOf() },
    )
  for (let seconds = 0; seconds < 110; seconds += 5) {
    tell()
    await passes()
    await world.clock.advance(5_000)
    expect([asked().length, tokens().size]).toEqual([1, 1])
  }
  for (let seconds = 0; seconds < 60; seconds += 5) {
    tell()
    await passes()
    await world.clock.advance(5_000)
  }
  expect(asked()).toEqual(['Spot m5.large', 'Spot m5a.large'])
  expect(world.attempt).toMatchObject({ n: 2, choice: { rung: 1 }, tried: [{ kind: 'transient', code: 'Unanswered' }] })
})
