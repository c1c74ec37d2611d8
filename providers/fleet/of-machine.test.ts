import { expect, it } from 'vitest'
import { FakeCloud } from '../../test/support/fakes/fake-cloud.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import type { OwnershipTag } from '../../api/ownership.ts'
import { machineDigest, tagOf } from '../shared/ownership.ts'
import { Fleet } from './fleet.ts'

const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
const ours = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }

it.each<[string, OwnershipTag, number]>([
  ['its own', tagOf(ours), 1],
  ['of another owner', tagOf({ ...ours, owner: 'ownertwo02' }), 0],
  ['of another machine', tagOf({ ...ours, machine: 'default/m2' }), 0],
  [
    'of another machine whose digest is the same',
    { ...tagOf({ ...ours, machine: 'default/m2' }), machine: machineDigest('default/m1') },
    0,
  ],
])('of what a list shows a machine is given what is %s', async (_, tag, count) => {
  using stop = { signal: new AbortController(), [Symbol.dispose]: () => stop.signal.abort(new Error('over')) }
  const [clock, cloud] = [new FakeClock(), new FakeCloud()]
  const want = { ...ours, scope, request: {}, userData: new Uint8Array(), clusterName: 'c' }
  const { id } = await cloud.create(want, quietCtx())
  cloud.set(id, 'running', { tag })
  const fleet = new Fleet({ scope, instances: cloud, pollIntervalMs: 15_000, onChange: () => {} })
  void fleet.run(quietCtx({ clock, signal: stop.signal.signal }))
  await clock.advance(0)
  expect(fleet.ofMachine(ours)).toHaveLength(count)
})
