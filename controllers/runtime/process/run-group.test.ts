import { expect, it } from 'vitest'
import type { Ctx } from '../../../api/ctx.ts'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { Runnable } from './manager.ts'
import { runGroup } from './run-group.ts'

const untilStopped = ({ signal }: Ctx) =>
  new Promise<void>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

function part(name: string, run: (ctx: Ctx) => Promise<void>, told: string[]): Runnable {
  return {
    name,
    run: async (ctx) => {
      ctx.signal.addEventListener('abort', () => told.push(name), { once: true })
      await run(ctx)
    },
  }
}

it('tells all of them to stop at the same time, and is over when the last one is', async () => {
  const told: string[] = []
  const slow = Promise.withResolvers<void>()
  const stop = new AbortController()
  const clock = new FakeClock()
  const all = runGroup('Controllers', [
    part('a', untilStopped, told),
    part('b', (ctx) => untilStopped(ctx).catch(() => slow.promise), told),
  ])
  let over = false
  const running = all.run(quietCtx({ signal: stop.signal })).then(() => (over = true))
  stop.abort(new Error('SIGTERM'))
  expect(told).toEqual(['a', 'b'])
  await clock.advance(0)
  expect(over).toBe(false)
  slow.resolve()
  await running
})

it('takes the others along when one fails, and says which', async () => {
  const told: string[] = []
  const all = runGroup('Controllers', [
    part('a', untilStopped, told),
    part('b', () => Promise.reject(new Error('broken')), told),
  ])
  await expect(all.run(quietCtx())).rejects.toThrow('b: broken')
  expect(told).toEqual(['a', 'b'])
})

it('fails when one ends by itself', async () => {
  const all = runGroup('Controllers', [part('a', () => Promise.resolve(), [])])
  await expect(all.run(quietCtx())).rejects.toThrow(/a: It ended, though nothing asked/)
})

it('does not begin in earnest when it is to stop already', async () => {
  const stop = new AbortController()
  stop.abort(new Error('SIGTERM'))
  const all = runGroup('Controllers', [
    { name: 'a', run: ({ signal }) => (signal.aborted ? Promise.resolve() : Promise.reject(new Error('not told'))) },
  ])
  await expect(all.run(quietCtx({ signal: stop.signal }))).resolves.toBeUndefined()
})
