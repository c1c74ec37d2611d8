import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { Turns, WorkloadBusy } from './turns.ts'

const slow = 251
const key = (n: number) => `team-${n % 3}/c${n}`

/** Uses that take as long as they are told, by a clock of their own, and how many of them were under way at once. */
function world() {
  const clock = new FakeClock()
  const ctx = quietCtx({ clock })
  const turns = new Turns()
  const running = new Map<string, number>()
  const most = new Map<string, number>()
  const served: string[] = []
  const busy: string[] = []
  const use = async (of: string, takesMs: number, name = of, caller?: string): Promise<void> => {
    try {
      await turns.take(
        of,
        async () => {
          running.set(of, (running.get(of) ?? 0) + 1)
          most.set(of, Math.max(most.get(of) ?? 0, running.get(of) ?? 0))
          await clock.sleep(takesMs, ctx.signal)
          running.set(of, (running.get(of) ?? 0) - 1)
          served.push(name)
        },
        ctx,
        caller,
      )
    } catch (thrown) {
      if (!(thrown instanceof WorkloadBusy)) throw thrown
      busy.push(name)
    }
  }
  const atOnce = () => [...running.values()].reduce((sum, count) => sum + count, 0)
  return { clock, use, most, served, busy, atOnce }
}

interface Comer {
  readonly caller?: string
  readonly takesMs: number
  /** How often it has its turn; without end if undefined. */
  readonly times?: number
}

/** Callers that come back to one cluster when they were told to, and again a moment after each turn. */
function crowd() {
  const clock = new FakeClock()
  const ctx = quietCtx({ clock })
  const turns = new Turns()
  const served: string[] = []
  const comeAgain = async ({ caller, takesMs, times = Infinity }: Comer): Promise<void> => {
    for (let had = 0; had < times;) {
      try {
        await turns.take('c', () => clock.sleep(takesMs, ctx.signal), ctx, caller)
        served.push(caller ?? 'anybody')
        had += 1
        await clock.sleep(10, ctx.signal)
      } catch (thrown) {
        if (!(thrown instanceof WorkloadBusy)) throw thrown
        await clock.sleep(thrown.retryAfterMs, ctx.signal)
      }
    }
  }
  return { clock, comeAgain, served }
}

describe('the turns of a workload cluster', () => {
  it('are one at a time, in the order of their coming, for as long as it answers quickly', async () => {
    const { clock, use, served, busy, most } = world()
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => use('c', 50, name))
    await clock.advance(250)
    await Promise.all(all)
    expect([served, busy, most.get('c')]).toEqual([['a', 'b', 'c', 'd', 'e'], [], 1])
  })

  it('C5: hold one worker of a cluster that answers slowly: nobody waits for it, and who waited is sent away', async () => {
    const { clock, use, busy, served } = world()
    void use('c', 10_000, 'slow')
    const waiting = use('c', 1, 'waits')
    await clock.advance(slow)
    await waiting
    await use('c', 1, 'comes later')
    expect([busy, served]).toEqual([['waits', 'comes later'], []])
    await clock.advance(10_000)
    void use('c', 10_000, 'next')
    await use('c', 1, 'of a cluster that was slow')
    expect(busy.at(-1)).toBe('of a cluster that was slow')
  })

  it('C5: hold eight workers of all slow clusters together, and those of others go on', async () => {
    const { clock, use, busy, served, atOnce } = world()
    const many = Array.from({ length: 40 }, (_, n) => key(n))
    for (const of of many) void use(of, slow)
    await clock.advance(slow)
    for (const of of many) void use(of, 10_000)
    await clock.advance(0)
    expect([atOnce(), busy.length]).toEqual([8, 32])
    const healthy = use('healthy', 20)
    await clock.advance(20)
    await healthy
    expect(served.at(-1)).toBe('healthy')
  })

  it('leave half of those eight to others, however many slow clusters one namespace has, known ones or new', async () => {
    const { clock, use, busy, served, atOnce } = world()
    const theirs = Array.from({ length: 40 }, (_, n) => `theirs/c${n}`)
    for (const of of [...theirs, 'ours/c1']) void use(of, slow)
    await clock.advance(slow)
    for (const of of theirs) void use(of, 10_000)
    await clock.advance(slow)
    expect(atOnce()).toBe(4)
    await use('theirs/new', 10_000)
    expect(busy.at(-1)).toBe('theirs/new')
    const ours = use('ours/c1', 300)
    await clock.advance(300)
    await ours
    expect(served.at(-1)).toBe('ours/c1')
  })

  it('are promised one after the other at a cluster that answers quickly, so that each caller comes once', async () => {
    const clock = new FakeClock()
    const ctx = quietCtx({ clock })
    const turns = new Turns()
    let tries = 0
    const use = () => turns.take('c', () => clock.sleep(40, ctx.signal), ctx)
    const first = use()
    await clock.advance(40)
    await first
    const comesBack = async (): Promise<void> => {
      tries += 1
      try {
        await use()
      } catch (thrown) {
        if (!(thrown instanceof WorkloadBusy)) throw thrown
        await clock.sleep(thrown.retryAfterMs, ctx.signal)
        await comesBack()
      }
    }
    const all = Promise.all(Array.from({ length: 100 }, comesBack))
    await clock.advance(101 * 40)
    await all
    expect(tries).toBeLessThanOrEqual(2 * 100)
  })

  it('come in time for a caller with a name, however many others come for a slow cluster all the time', async () => {
    const { comeAgain, clock, served } = crowd()
    for (let n = 0; n < 20; n += 1) void comeAgain({ takesMs: 300 })
    await clock.advance(5_000)
    void comeAgain({ caller: 'last call', takesMs: 300, times: 1 })
    await clock.advance(3 * 300 + 2 * 1_000)
    expect(served.filter((name) => name === 'last call')).toHaveLength(1)
  })

  it('come for the others too, however many callers have names', async () => {
    const { comeAgain, clock, served } = crowd()
    for (let n = 0; n < 20; n += 1) void comeAgain({ caller: `last call ${n}`, takesMs: 300 })
    await clock.advance(5_000)
    void comeAgain({ takesMs: 300, times: 1 })
    await clock.advance(15_000)
    expect(served.filter((name) => name === 'anybody')).toHaveLength(1)
  })

  it('are kept for seconds only for a caller that does not come back', async () => {
    const { clock, use, served, busy } = world()
    void use('c', slow, 'first')
    await clock.advance(slow)
    void use('c', slow, 'second')
    await use('c', 1, 'last call', 'last call')
    await clock.advance(slow)
    await use('c', 1, 'comes before its place is free')
    expect(busy).toEqual(['last call', 'comes before its place is free'])
    await clock.advance(2_000)
    const later = use('c', 1, 'later')
    await clock.advance(1)
    await later
    expect(served.at(-1)).toBe('later')
  })

  it('are never two at once, whoever comes when and whatever it takes, and each comes or is sent away', async () => {
    const coming = fc.record({ of: fc.nat({ max: 2 }), afterMs: fc.nat({ max: 300 }), takesMs: fc.nat({ max: 400 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(coming, { maxLength: 30 }), async (all) => {
        const { clock, use, most, served, busy } = world()
        const uses: Promise<void>[] = []
        for (const { of, afterMs, takesMs } of all) {
          await clock.advance(afterMs)
          uses.push(use(key(of), takesMs))
        }
        await clock.advance(100_000)
        await Promise.all(uses)
        for (const count of most.values()) expect(count).toBe(1)
        expect(served.length + busy.length).toBe(all.length)
      }),
    )
  })
})
