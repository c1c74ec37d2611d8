import { expect, it } from 'vitest'
import { readOptions } from '../../config/options.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { elect } from './election.ts'
import { LeaseLost } from '../runtime/process/lease.ts'
import { runManager } from '../runtime/process/manager.ts'

it('A9: of two processes with the identity of one pod one leads: the other ends as soon as it tries to renew', async () => {
  const apiserver = new FakeApiserver()
  const clock = new FakeClock()
  const ctx = quietCtx({ clock })
  const options = readOptions(['--leader-elect', '--leader-election-identity=pod-uid'], {})
  const ends: unknown[] = []
  const start = async () => {
    const election = await elect(apiserver.client(), options, ctx)
    void runManager({ runnables: election.runnables }, ctx).catch((error: unknown) => ends.push(error))
    return election
  }
  const older = await start()
  await clock.advance(3_000)
  expect(older.held()).toBe(true)
  const younger = await start()
  await clock.advance(3_000)
  expect([older.held(), older.lost(), younger.held()]).toEqual([false, true, true])
  expect(ends).toMatchObject([{ cause: expect.any(LeaseLost) as LeaseLost }])
  expect(younger.predecessor()).toMatchObject({ holder: expect.stringMatching(/^pod-uid\/./) as string })
})
