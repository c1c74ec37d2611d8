import { expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { MachineWorld } from '../../../test/support/worlds/machine-world.ts'

/** A machine whose create made an instance, and whose answer was lost. */
async function unanswered() {
  const world = new MachineWorld()
  const lost = new CloudError('ambiguous', { code: 'ECONNRESET', message: 'socket hang up' })
  world.cloud.createFaults.push({ when: 'after', error: lost })
  await world.pass()
  await world.pass()
  const [id = ''] = world.cloud.instances.keys()
  return { world, id }
}

it.each(['terminating', 'terminated'] as const)(
  'what came of a create without an answer is its answer though it is %s by now: one token, one instance',
  async (state) => {
    const { world, id } = await unanswered()
    world.cloud.set(id, state, { interrupted: true })
    await world.listed()
    await world.pass()
    expect(world.attempt?.handle).toBe(id)
    expect(world.machine?.spec.providerID).toContain(id)
    expect(world.ready).toMatchObject({ status: 'False', reason: 'Interrupted' })
    expect(world.cloud.count('create')).toBe(1)
  },
)

it('what is left of a create without an answer is no answer: the same token goes on with it', async () => {
  const { world, id } = await unanswered()
  world.cloud.set(id, 'leftover')
  await world.listed()
  await world.pass()
  expect(world.cloud.calls.filter(({ call }) => call === 'create').map(({ token }) => token)).toEqual([
    'token-1',
    'token-1',
  ])
})

it('a token whose one instance has ended is refused once, and nothing more is asked with it', async () => {
  const world = new MachineWorld()
  const message = 'The client token you have provided is associated with a terminated instance.'
  const ended = new CloudError('ended', { code: 'IdempotentInstanceTerminated', message })
  for (let times = 0; times < 100; times++) world.cloud.createFaults.push({ when: 'before', error: ended })
  for (let passes = 0; passes < 20; passes++) {
    await world.clock.advance(300_000)
    await world.pass()
  }
  expect(world.cloud.count('create')).toBe(1)
  expect(world.attempt?.refused).toMatchObject({ kind: 'ended', code: 'IdempotentInstanceTerminated' })
  expect(world.ready).toMatchObject({ status: 'False', reason: 'LaunchFailed' })
})
