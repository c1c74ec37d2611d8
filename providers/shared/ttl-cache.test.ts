import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { TtlCache } from './ttl-cache.ts'

/** A question whose answers the test gives, one call after the other. */
function aQuestion() {
  const calls: PromiseWithResolvers<string>[] = []
  const ask = () => {
    const call = Promise.withResolvers<string>()
    calls.push(call)
    return call.promise
  }
  return { calls, ask }
}

/** A caller who gives up when told to. */
function aCaller(clock = new FakeClock()) {
  const stop = new AbortController()
  return { ctx: quietCtx({ clock, signal: stop.signal }), giveUp: () => stop.abort(new Error('gave up')) }
}

describe('an answer', () => {
  it('is good for as long as was said, and asked for again after that', async () => {
    const clock = new FakeClock()
    const { ctx } = aCaller(clock)
    const { calls, ask } = aQuestion()
    const asMinutes = new TtlCache<string>({ keepMs: (answer) => Number(answer) * 60_000 })
    const first = asMinutes.get('how long', ask, ctx)
    await clock.advance(0)
    calls[0]?.resolve('2')
    expect(await first).toBe('2')
    await clock.advance(119_999)
    expect(await asMinutes.get('how long', ask, ctx)).toBe('2')
    await clock.advance(1)
    const again = asMinutes.get('how long', ask, ctx)
    await clock.advance(0)
    calls[1]?.resolve('3')
    expect(await again).toBe('3')
    expect(calls).toHaveLength(2)
  })

  it('is that of its own question', async () => {
    const { ctx } = aCaller()
    const remembered = new TtlCache<string>({ keepMs: () => 1_000 })
    expect(await remembered.get('a', () => Promise.resolve('of a'), ctx)).toBe('of a')
    expect(await remembered.get('b', () => Promise.resolve('of b'), ctx)).toBe('of b')
  })

  it('goes when there are too many, the oldest first', async () => {
    const { ctx } = aCaller()
    const remembered = new TtlCache<string>({ keepMs: () => 1_000, most: 2 })
    const asked: string[] = []
    const get = (key: string) =>
      remembered.get(
        key,
        () => {
          asked.push(key)
          return Promise.resolve(key)
        },
        ctx,
      )
    for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await get(key)
    expect(asked).toEqual(['a', 'b', 'c', 'a'])
  })
})

describe('several who ask at once', () => {
  it('are answered by one call', async () => {
    const { ctx } = aCaller()
    const { calls, ask } = aQuestion()
    const remembered = new TtlCache<string>({ keepMs: () => 1_000 })
    const all = Promise.all([1, 2, 3].map(() => remembered.get('k', ask, ctx)))
    await Promise.resolve()
    calls[0]?.resolve('one')
    expect(await all).toEqual(['one', 'one', 'one'])
    expect(calls).toHaveLength(1)
  })

  it('all hear of a failure, which is not kept', async () => {
    const { ctx } = aCaller()
    const { calls, ask } = aQuestion()
    const remembered = new TtlCache<string>({ keepMs: () => 1_000 })
    const all = Promise.allSettled([1, 2].map(() => remembered.get('k', ask, ctx)))
    await Promise.resolve()
    calls[0]?.reject(new Error('no'))
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const again = remembered.get('k', ask, ctx)
    await Promise.resolve()
    calls[1]?.resolve('yes')
    expect(await again).toBe('yes')
  })

  it('do not fail when the one who asked gives up: another asks himself', async () => {
    const clock = new FakeClock()
    const [asker, waiter] = [aCaller(clock), aCaller(clock)]
    const { calls, ask } = aQuestion()
    const remembered = new TtlCache<string>({ keepMs: () => 1_000 })
    const asked = remembered.get('k', ask, asker.ctx).catch((thrown: unknown) => thrown)
    const waited = remembered.get('k', ask, waiter.ctx)
    await clock.advance(0)
    asker.giveUp()
    calls[0]?.reject(new Error('gave up'))
    await asked
    await clock.advance(0)
    calls[1]?.resolve('yes')
    expect(await waited).toBe('yes')
    expect(calls).toHaveLength(2)
  })

  it('need not wait to the end: who gives up goes, and the others are answered', async () => {
    const clock = new FakeClock()
    const [asker, waiter] = [aCaller(clock), aCaller(clock)]
    const { calls, ask } = aQuestion()
    const remembered = new TtlCache<string>({ keepMs: () => 1_000 })
    const asked = remembered.get('k', ask, asker.ctx)
    const waited = remembered.get('k', ask, waiter.ctx).catch((thrown: unknown) => thrown)
    await clock.advance(0)
    waiter.giveUp()
    expect(await waited).toEqual(new Error('gave up'))
    calls[0]?.resolve('yes')
    expect(await asked).toBe('yes')
  })
})

it('a question that throws before it asks leaves nothing behind', async () => {
  const { ctx } = aCaller()
  const remembered = new TtlCache<string>({ keepMs: () => 1_000 })
  const wrong = () => {
    throw new Error('wrong')
  }
  await expect(remembered.get('k', wrong, ctx)).rejects.toThrow('wrong')
  expect(await remembered.get('k', () => Promise.resolve('right'), ctx)).toBe('right')
})
