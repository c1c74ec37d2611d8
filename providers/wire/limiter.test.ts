import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { refusalOf } from '../../test/support/thrown-by.ts'
import { rig, slow, throttled, turn } from '../../test/support/worlds/limiter-world.ts'
import type { Turn } from './limiter.ts'

describe('the line', () => {
  it('lets through what the bucket has, and the rest at its rate', async () => {
    const { ask, clock, made } = rig({ slow: { burst: 3, perSecond: 1 } })
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => ask(name, turn())))
    await clock.advance(0)
    expect(made.map(({ at }) => at)).toEqual([0, 0, 0])
    await clock.advance(10_000)
    expect(await all).toEqual(['a', 'b', 'c', 'd', 'e'])
    const [, , , fourth, fifth] = made
    expect((fifth?.at ?? 0) - (fourth?.at ?? 0)).toBeGreaterThanOrEqual(1_000)
    expect(clock.pending).toBe(0)
  })

  it('goes by priority, then by who came first', async () => {
    const { ask, clock, names } = rig(slow)
    await ask('first', turn())
    const all = (['describe', 'launch', 'terminate', 'describe', 'launch', 'terminate'] as const).map(
      (priority, index) => ask(`${priority} ${index}`, turn({ priority })),
    )
    await clock.advance(20_000)
    await Promise.all(all)
    expect(names()).toEqual(['first', 'terminate 2', 'terminate 5', 'launch 1', 'launch 4', 'describe 0', 'describe 3'])
  })

  it('is gone through by turns: a thousand calls of one tenant cost another no more than one', async () => {
    const { ask, clock, names } = rig(slow)
    await ask('first', turn())
    for (let n = 0; n < 1_000; n++) void ask(`crowd ${n}`, turn({ whose: 'crowd' }))
    await clock.advance(10_000)
    const before = names().length
    const all = ['a', 'b', 'c'].map((name) => ask(name, turn({ whose: 'few' })))
    await clock.advance(20_000)
    await Promise.all(all)
    const since = names().slice(before)
    expect(since.filter((name) => !name.startsWith('crowd'))).toEqual(['a', 'b', 'c'])
    expect(since.indexOf('c')).toBeLessThanOrEqual(5)
  })

  it('keeps no turn for a tenant who had nothing to ask', async () => {
    const { ask, clock, names } = rig(slow)
    for (let n = 0; n < 20; n++) void ask(`early ${n}`, turn({ whose: 'early' }))
    await clock.advance(60_000)
    for (let n = 0; n < 3; n++) void ask(`early again ${n}`, turn({ whose: 'early' }))
    for (let n = 0; n < 3; n++) void ask(`late ${n}`, turn({ whose: 'late' }))
    await clock.advance(20_000)
    // The first goes at once, and with it its round.
    expect(names().slice(20)).toEqual(['early again 0', 'early again 1', 'late 0', 'early again 2', 'late 1', 'late 2'])
  })

  it('of one bucket holds up nobody of another', async () => {
    const { ask, clock, names } = rig({ ...slow, fast: { burst: 10, perSecond: 10 } })
    for (let n = 0; n < 20; n++) void ask(`slow ${n}`, turn({ priority: 'terminate' }))
    await Promise.all([1, 2, 3].map((n) => ask(`fast ${n}`, turn({ bucket: 'fast', priority: 'describe' }))))
    expect(names()).toEqual(['slow 0', 'fast 1', 'fast 2', 'fast 3'])
    await clock.advance(60_000)
  })

  it('is one for all callers, whichever context they come with', async () => {
    const { ask, clock, made } = rig(slow)
    void ask('one', turn())
    void ask('other', turn(), { signal: new AbortController().signal })
    await clock.advance(900)
    expect(made).toHaveLength(1)
    await clock.advance(5_000)
    expect(made).toHaveLength(2)
  })

  it('leaves nothing on the signal of a caller who has had his turn', async () => {
    const { ask, clock } = rig(slow)
    const { signal } = new AbortController()
    const both = Promise.all([ask('first', turn(), { signal }), ask('second', turn(), { signal })])
    await clock.advance(0)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await clock.advance(5_000)
    await both
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('refuses a bucket that it does not have, and more tokens than a bucket ever holds', async () => {
    const { ask } = rig(slow)
    await expect(ask('x', turn({ bucket: 'none' }))).rejects.toThrow('The limiter has no bucket "none".')
    await expect(ask('x', turn({ also: { slow: 2 } }))).rejects.toThrow('never holds more than 1')
  })
})

describe('a call of several buckets', () => {
  const table = { calls: { burst: 10, perSecond: 10 }, things: { burst: 10, perSecond: 1 } }

  it('takes from all at once, or from none', async () => {
    const { ask, clock, names } = rig(table)
    await ask('nine', { bucket: 'calls', also: { things: 9 }, priority: 'launch' })
    void ask('five', { bucket: 'calls', also: { things: 5 }, priority: 'launch' })
    await clock.advance(0)
    // Eight more have their calls, so nothing is held back for the one that still lacks things.
    for (let n = 0; n < 8; n++) void ask(`look ${n}`, { bucket: 'calls', priority: 'describe' })
    await clock.advance(0)
    expect(names()).toHaveLength(9)
    expect(names()).not.toContain('five')
    await clock.advance(10_000)
    expect(names()).toContain('five')
  })

  it('is not starved by smaller ones that come later', async () => {
    const { ask, clock, names } = rig(table)
    await ask('ten', { bucket: 'calls', also: { things: 10 }, priority: 'launch' })
    void ask('five', { bucket: 'calls', also: { things: 5 }, priority: 'launch' })
    for (let n = 0; n < 10; n++) void ask(`small ${n}`, { bucket: 'calls', also: { things: 1 }, priority: 'launch' })
    await clock.advance(60_000)
    expect(names().slice(0, 3)).toEqual(['ten', 'five', 'small 0'])
    expect(names()).toHaveLength(12)
  })
})

describe('refused by the cloud', () => {
  it('pauses the bucket for all, and no other; the call is not made again here', async () => {
    const { ask, limiter, clock, made, names } = rig({ a: { burst: 5, perSecond: 2 }, b: { burst: 5, perSecond: 2 } })
    let calls = 0
    const refused = limiter.run(
      { bucket: 'a', priority: 'launch', key: 'm' },
      async () => {
        calls += 1
        throw throttled(20_000)
      },
      quietCtx({ clock }),
    )
    expect(await refusalOf(refused)).toMatchObject({
      kind: 'throttled',
      code: 'Slow',
      message: 'x',
      retryAfterMs: 20_000,
    })
    void ask('a', { bucket: 'a', priority: 'terminate' })
    void ask('b', { bucket: 'b', priority: 'describe' })
    await clock.advance(19_999)
    expect(names()).toEqual(['b'])
    await clock.advance(1)
    expect(made.at(-1)).toEqual({ name: 'a', at: 20_000 })
    expect(calls).toBe(1)
  })

  it('leaves the refused one at the head of the line', async () => {
    const { ask, limiter, clock, names } = rig({ a: { burst: 1, perSecond: 1 } })
    const of = (key: string): Turn => ({ bucket: 'a', priority: 'launch', key })
    const failing = () => Promise.reject(throttled())
    const refused = await refusalOf(limiter.run(of('m'), failing, quietCtx({ clock })))
    void ask('n', of('n'))
    await clock.advance(refused.retryAfterMs ?? 0)
    await clock.advance(0)
    expect(names()).toEqual(['n']) // A token that is there is not kept for those who are away.
    void ask('o', of('o'))
    void ask('m', of('m'))
    await clock.advance(20_000)
    expect(names()).toEqual(['n', 'm', 'o'])
  })

  it('any other error is passed on and slows nobody', async () => {
    const { limiter, clock, ask, made } = rig({ a: { burst: 2, perSecond: 1 } })
    const error = new CloudError('capacity', { code: 'None', message: 'x' })
    const failing = limiter.run({ bucket: 'a', priority: 'launch' }, () => Promise.reject(error), quietCtx({ clock }))
    expect(await refusalOf(failing)).toBe(error)
    await ask('next', { bucket: 'a', priority: 'launch' })
    expect(made).toEqual([{ name: 'next', at: 0 }])
  })
})

describe('giving up', () => {
  it('leaves no waiter, no timer, no listener, and the token to the next', async () => {
    const { ask, clock, made, names } = rig(slow)
    await ask('first', turn())
    const stop = new AbortController()
    const gone = refusalOf(ask('gone', turn(), { signal: stop.signal }))
    const next = ask('next', turn())
    await clock.advance(100)
    stop.abort(new Error('stopped'))
    expect(await gone).toMatchObject({ kind: 'transient', code: 'GivenUp', cause: stop.signal.reason as Error })
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0)
    await clock.advance(2_300)
    await next
    expect(names()).toEqual(['first', 'next'])
    expect(made.at(-1)?.at).toBeLessThan(2_300)
    expect(clock.pending).toBe(0)
  })

  it('before the call was asked for makes none', async () => {
    const { ask, made } = rig(slow)
    const error = await refusalOf(ask('x', turn(), { signal: AbortSignal.abort(new Error('stopped')) }))
    expect(error.code).toBe('GivenUp')
    expect(made).toEqual([])
    await ask('y', turn())
    expect(made).toHaveLength(1)
  })

  it('of the last one stops the clock', async () => {
    const { ask, clock } = rig(slow)
    await ask('first', turn())
    const stop = new AbortController()
    const gone = refusalOf(ask('gone', turn(), { signal: stop.signal }))
    await clock.advance(0)
    expect(clock.pending).toBe(1)
    stop.abort(new Error('stopped'))
    await gone
    expect(clock.pending).toBe(0)
  })
})
