import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { throttled } from '../../test/support/worlds/limiter-world.ts'
import { Limiter, type Priority, type Turn } from './limiter.ts'

describe('whatever comes', () => {
  const priorities: readonly Priority[] = ['terminate', 'launch', 'describe']
  const visitor = fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000 })),
    bucket: fc.constantFrom('a', 'b'),
    rank: fc.integer({ min: 0, max: 2 }),
    things: fc.integer({ min: 0, max: 2 }),
    key: fc.constantFrom(undefined, 'x', 'y', 'z'),
    whose: fc.constantFrom(undefined, 'p', 'q'),
    maxWaitMs: fc.constantFrom(undefined, 0, 500, 3_000),
    abortAfterMs: fc.constantFrom(undefined, undefined, 0, 700),
    refuses: fc.constantFrom(undefined, undefined, undefined, 0, 4_000),
  })
  const table = {
    a: { burst: 3, perSecond: 2 },
    b: { burst: 1, perSecond: 5 },
    things: { burst: 4, perSecond: 1 },
  }

  it('no bucket gives more than it may, nobody waits too long, everybody is answered, nothing is left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(visitor, { maxLength: 40 }), async (visitors) => {
        const clock = new FakeClock(0)
        const limiter = new Limiter(table)
        const taken: Record<keyof typeof table, { at: number; tokens: number }[]> = { a: [], b: [], things: [] }
        const answers: Promise<void>[] = []
        for (const { afterMs, bucket, rank, things, key, whose, maxWaitMs, abortAfterMs, refuses } of visitors) {
          await clock.advance(afterMs)
          const stop = new AbortController()
          if (abortAfterMs !== undefined) clock.after(abortAfterMs, () => stop.abort(new Error('stopped')))
          const asked = clock.monotonic()
          const call = async () => {
            const at = clock.monotonic()
            taken[bucket].push({ at, tokens: 1 })
            if (things > 0) taken.things.push({ at, tokens: things })
            expect(at - asked).toBeLessThanOrEqual((maxWaitMs ?? Infinity) + 1)
            if (refuses !== undefined) throw throttled(refuses)
          }
          const wanted: Turn = {
            bucket,
            priority: priorities[rank] ?? 'launch',
            ...(things > 0 ? { also: { things } } : {}),
            ...(key === undefined ? {} : { key }),
            ...(whose === undefined ? {} : { whose }),
            ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
          }
          answers.push(limiter.run(wanted, call, quietCtx({ clock, signal: stop.signal })))
        }
        const settled = Promise.allSettled(answers)
        await clock.advance(3_600_000)
        const failures = (await settled).flatMap((answer) =>
          answer.status === 'rejected' ? [answer.reason as Error] : [],
        )
        for (const failure of failures) expect(failure).toBeInstanceOf(CloudError)
        expect(clock.pending).toBe(0)
        for (const [name, { burst, perSecond }] of Object.entries(table)) {
          const givings = taken[name as keyof typeof table]
          for (const [index, { at }] of givings.entries()) {
            let sum = 0
            for (const later of givings.slice(index)) {
              sum += later.tokens
              expect(sum).toBeLessThanOrEqual(burst + (perSecond * (later.at - at)) / 1000 + 0.001)
            }
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})
