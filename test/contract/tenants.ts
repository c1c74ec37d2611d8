import { expect, it } from 'vitest'
import { turnAfterMs } from '../../providers/wire/limiter.ts'
import { FakeClock } from '../support/fakes/fake-clock.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { launchFor, type Rig } from './rig.ts'

const crowd = 400

/** What tenants who share an account and region may expect of each other. */
export function tenantsContract(name: string, start: () => Promise<Rig>): void {
  it(`${name}: however many launches one tenant asks for, another waits for its turn and not for all of them`, async () => {
    const rig = await start()
    const clock = new FakeClock()
    const ctx = quietCtx({ clock })
    const waitOf = (machine: string, token: string) =>
      rig.cloud.instances.create(launchFor(rig, { machine, token }), ctx).then(() => 0, turnAfterMs)
    try {
      for await (const _ of rig.cloud.instances.list(rig.scope, ctx)) continue
      const all = Array.from({ length: crowd }, (_, n) => waitOf(`crowd/m${n}`, `c${`${n}`.padStart(11, '0')}`))
      await clock.advance(0)
      const few = waitOf('few/m1', 'fewnumber001')
      for (let n = 0; n < 5; n++) await clock.advance(1_000)
      const longest = Math.max(...(await Promise.all(all)).map((ms) => ms ?? 0))
      expect(longest).toBeGreaterThan(5_000)
      expect(await few).toBeLessThan(longest / 4)
    } finally {
      await rig.close()
    }
  })
}
