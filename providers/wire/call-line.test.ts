import { expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import type { Scope } from '../../api/scope.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import type { CallMade, CloudSettings } from '../cloud.ts'
import { CallLine } from './call-line.ts'

const scope: Scope = { cloud: 'aws', identity: 'default', region: 'r1' }
const turn = { bucket: 'calls', priority: 'launch' } as const
const errorOf = () => new CloudError('ambiguous', { code: 'Broken', message: 'It broke.' })
const request = { action: 'Make', isWrite: true, errorOf, send: () => Promise.resolve('made') }

function lineWith(settings: CloudSettings = {}) {
  const clock = new FakeClock()
  const calls: CallMade[] = []
  const line = new CallLine({
    buckets: { calls: { burst: 1, perSecond: 1 } },
    keyOf: ({ region }) => region,
    settings: { ...settings, onCall: (call) => calls.push(call) },
  })
  return { clock, calls, line, ctx: quietCtx({ clock }) }
}

it('counts the wait for the turn once, for the first request of the turn', async () => {
  const { clock, calls, line, ctx } = lineWith()
  await line.run({ scope, turn }, (send) => send(request), ctx)
  const second = line.run({ scope, turn }, async (send) => [await send(request), await send(request)], ctx)
  await clock.advance(5_000)
  expect(await second).toEqual(['made', 'made'])
  expect(calls.map(({ waitedMs }) => waitedMs > 0)).toEqual([false, true, false])
})

it('sends no write while writes are held, and counts none; reads go on', async () => {
  const { calls, line, ctx } = lineWith({
    held: () => 'No lease.',
    grantedLimits: { calls: { burst: 9, perSecond: 9 } },
  })
  const sent: string[] = []
  const send = (isWrite: boolean) =>
    line.run(
      { scope, turn },
      (sendOne) => sendOne({ ...request, isWrite, send: () => Promise.resolve(sent.push(`write ${isWrite}`)) }),
      ctx,
    )
  await expect(send(true)).rejects.toMatchObject({ kind: 'transient', message: 'No lease.' })
  await send(false)
  expect(sent).toEqual(['write false'])
  expect(calls).toHaveLength(1)
})

it('has one line for all scopes of one key, and lets others pass', async () => {
  const { clock, line, ctx } = lineWith()
  const done: string[] = []
  const call = (region: string, account: string) =>
    line
      .run({ scope: { ...scope, region, account }, turn }, (send) => send(request), ctx)
      .then(() => done.push(`${region}/${account}`))
  const all = [call('r1', 'a'), call('r1', 'b'), call('r2', 'a')]
  await Promise.all([all[0], all[2]])
  expect(done.toSorted()).toEqual(['r1/a', 'r2/a'])
  await clock.advance(5_000)
  await Promise.all(all)
  expect(done.at(-1)).toBe('r1/b')
})
