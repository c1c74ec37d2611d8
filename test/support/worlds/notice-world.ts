import { onTestFinished } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Instance } from '../../../api/instance.ts'
import { FakeNotices } from '../fakes/fake-notices.ts'
import { FleetWorld } from './fleet-world.ts'

export const interval = 15_000
export const rareMs = 5 * 60_000
export const failure = new CloudError('throttled', { code: 'RequestLimitExceeded', message: 'Slower.' })
export const user = 'AWSMachine default/m1'

/**
 * A cloud with two sources of notices. `rare`: the second one, asked less often and for every instance. The world ends
 * with the test.
 */
export function noticeWorld() {
  const notices = new FakeNotices()
  const rare = new FakeNotices({ source: 'Status', everyMs: rareMs, concerns: () => true })
  const world = new FleetWorld({ notices: [notices, rare] })
  notices.account = world.cloud.account
  rare.account = world.cloud.account
  onTestFinished(() => world[Symbol.asyncDispose]())
  return { world, notices, rare }
}

/** The steps that tests of notices share. `world`: that of the present test. */
export function polling(world: () => FleetWorld) {
  return {
    /** A fleet whose list has shown a running spot instance of ours. */
    withInstance: async (over: Partial<Instance> = {}): Promise<Instance> => {
      const made = await world().make('default/m1')
      world().cloud.set(made.id, 'running', over)
      world().use(user)
      await world().clock.advance(0)
      return made
    },
    /** How often notices are asked for meanwhile. Left out: those of the first source. */
    asksIn: async (ms: number, { asked } = world().notices[0] as FakeNotices): Promise<number> => {
      const before = asked.length
      await world().clock.advance(ms)
      return asked.length - before
    },
    noticed: () => world().noticed.map(({ notice }) => notice.instance),
  }
}
