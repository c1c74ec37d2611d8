import { expect, it } from 'vitest'
import { machineDeployments } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import type { Lane } from '../../api/rules/lanes.ts'
import { termsOf } from '../../api/rules/policy.ts'
import { writeBackoff } from '../../api/backoff.ts'
import { FakeApiserver } from '../../test/fake-apiserver.ts'
import { FakeClock } from '../../test/fake-clock.ts'
import { quietCtx } from '../../test/quiet-ctx.ts'
import { Ledgers } from './ledgers.ts'

const md = { owner: 'MachineDeployment default/md', cluster: 'default/c1' }
const pool = 'pool aws Spot:m5.large:us-east-1a'
const pace = termsOf()
const ctx = quietCtx({ clock: new FakeClock() })
const lanesOf = (failures: number): ReadonlyMap<string, Lane> =>
  new Map([[pool, { failures, failedAt: ctx.clock.now() - 1_000, until: ctx.clock.now() }]])

function deployment(apiserver: FakeApiserver, failures: number): void {
  const noted = { [annotations.backoff]: writeBackoff(lanesOf(failures)) }
  apiserver.put(machineDeployments.kind, {
    metadata: { namespace: 'default', name: 'md', annotations: noted },
  } as never)
}

it('are read once, and anew when their Cluster was away: another management cluster has written them since', async () => {
  const apiserver = new FakeApiserver()
  const ledgers = new Ledgers(apiserver.client())
  const failures = async () => (await ledgers.read(md, pace, ctx)).get(pool)?.failures
  deployment(apiserver, 1)
  expect(await failures()).toBe(1)
  deployment(apiserver, 5)
  expect(await failures()).toBeUndefined()
  ledgers.forget('default/another')
  expect(await failures()).toBeUndefined()
  ledgers.forget(md.cluster)
  expect(await failures()).toBe(5)
})

it('are written to what was made anew under the name, though they are what was last written', async () => {
  const apiserver = new FakeApiserver()
  const ledgers = new Ledgers(apiserver.client())
  deployment(apiserver, 1)
  await ledgers.read(md, pace, ctx)
  await ledgers.write(md, lanesOf(2), ctx)
  apiserver.put(machineDeployments.kind, { metadata: { namespace: 'default', name: 'md' } })
  ledgers.forget(md.cluster)
  await ledgers.read(md, pace, ctx)
  await ledgers.write(md, lanesOf(2), ctx)
  const { metadata } = apiserver.get(machineDeployments.kind, 'default/md') ?? {}
  expect(metadata?.annotations?.[annotations.backoff]).toBe(writeBackoff(lanesOf(2)))
})
