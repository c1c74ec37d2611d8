import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../test/support/thrown-by.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { rig, throttled, turn } from '../../test/support/worlds/limiter-world.ts'
import { turnAfterMs } from './limiter.ts'

describe('sending away', () => {
  const bucket = { slow: { burst: 5, perSecond: 0.5 } }
  const useUp = async (ask: ReturnType<typeof rig>['ask']) => {
    for (let n = 0; n < 5; n++) await ask('first', turn())
  }

  it('is at once, costs no token, and gives each a time of its own', async () => {
    const { ask, clock, made } = rig(bucket)
    await useUp(ask)
    const waits: number[] = []
    for (let n = 0; n < 20; n++) {
      const error = await refusalOf(ask(`m${n}`, turn({ key: `m${n}`, maxWaitMs: 1_000 })))
      expect(error).toMatchObject({ kind: 'throttled', code: 'LocalRateLimit' })
      waits.push(turnAfterMs(error) ?? 0)
    }
    const gaps = waits.slice(1).map((wait, index) => wait - (waits[index] ?? 0))
    for (const gap of gaps) expect(Math.abs(gap - 2_020)).toBeLessThanOrEqual(2)
    expect(made).toHaveLength(5)
    expect(clock.pending).toBe(0)
  })

  it('keeps the place of whoever comes back, however often and early he asks', async () => {
    const { ask, clock, names } = rig(bucket)
    await useUp(ask)
    const away = (key: string) => refusalOf(ask(key, turn({ key, maxWaitMs: 0 })))
    const early = turnAfterMs(await away('early')) ?? 0
    const late = turnAfterMs(await away('late')) ?? 0
    for (let again = 0; again < 5; again++) expect(turnAfterMs(await away('early'))).toBe(early)
    expect(turnAfterMs(await away('late'))).toBe(late)
    await clock.advance(early)
    await ask('early', turn({ key: 'early', maxWaitMs: 0 }))
    await clock.advance(late - early)
    await ask('late', turn({ key: 'late', maxWaitMs: 0 }))
    expect(names().slice(5)).toEqual(['early', 'late'])
  })

  it('keeps nothing for who does not come back', async () => {
    const { ask, clock } = rig(bucket)
    await useUp(ask)
    for (let n = 0; n < 10; n++) await refusalOf(ask(`m${n}`, turn({ key: `m${n}`, maxWaitMs: 0 })))
    await clock.advance(60_000)
    await useUp(ask)
    expect(turnAfterMs(await refusalOf(ask('new', turn({ maxWaitMs: 0 }))))).toBeLessThan(4_000)
  })

  it('has those who are far back look again within a minute, and not all at once', async () => {
    const { ask } = rig(bucket)
    await useUp(ask)
    const waits: number[] = []
    for (let n = 0; n < 600; n++) {
      waits.push(turnAfterMs(await refusalOf(ask(`m${n}`, turn({ key: `m${n}`, maxWaitMs: 0 })))) ?? 0)
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000)
    const bySecond = Map.groupBy(waits.slice(30), (wait) => Math.floor(wait / 1_000))
    expect(Math.max(...[...bySecond.values()].map(({ length }) => length))).toBeLessThanOrEqual(2 * (600 / 30))
  })

  it('comes too to those who wait already, when the cloud makes the wait longer than they said', async () => {
    const { ask, limiter, clock } = rig({ a: { burst: 2, perSecond: 2 } })
    const answer = Promise.withResolvers<never>()
    const held = limiter.run({ bucket: 'a', priority: 'launch' }, () => answer.promise, quietCtx({ clock }))
    await ask('second', { bucket: 'a', priority: 'launch' })
    const waits = refusalOf(ask('third', { bucket: 'a', priority: 'launch', maxWaitMs: 2_000 }))
    answer.reject(throttled(30_000))
    await refusalOf(held)
    expect(turnAfterMs(await waits)).toBeGreaterThanOrEqual(30_000)
    expect(clock.pending).toBe(0)
  })

  it('is told apart from every other error', () => {
    expect(turnAfterMs(throttled(5))).toBeUndefined()
    expect(turnAfterMs(new Error('x'))).toBeUndefined()
    expect(turnAfterMs(undefined)).toBeUndefined()
  })
})
