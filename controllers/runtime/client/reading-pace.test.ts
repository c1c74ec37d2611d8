import { expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { ReadingPace } from './reading-pace.ts'

const rate = { bytesPerSecond: 1_000, burstBytes: 5_000 }

/** Takes this much at once; the returned function tells whether more may be read. */
function takes(pace: ReadingPace, bytes: number, clock: FakeClock): () => boolean {
  let isDone = false
  void pace.took(bytes, quietCtx({ clock })).then(() => (isDone = true))
  return () => isDone
}

it('lets a burst through, and then the rate', async () => {
  const clock = new FakeClock()
  const pace = new ReadingPace(rate)
  const burst = takes(pace, 5_000, clock)
  await clock.advance(0)
  expect(burst()).toBe(true)
  const more = takes(pace, 2_000, clock)
  await clock.advance(1_999)
  expect(more()).toBe(false)
  await clock.advance(1)
  expect(more()).toBe(true)
  expect(clock.pending).toBe(0)
})

it('gains no more than a burst, however long it was quiet', async () => {
  const clock = new FakeClock()
  const pace = new ReadingPace(rate)
  takes(pace, 5_000, clock)
  await clock.advance(3_600_000)
  const burst = takes(pace, 5_000, clock)
  const more = takes(pace, 1, clock)
  await clock.advance(0)
  expect([burst(), more()]).toEqual([true, false])
})

it('ends its wait with the signal', async () => {
  const stop = new AbortController()
  const waiting = new ReadingPace(rate).took(6_000, quietCtx({ signal: stop.signal }))
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

it('without a rate it never waits', async () => {
  const clock = new FakeClock()
  await new ReadingPace(undefined).took(1e12, quietCtx({ clock }))
  expect(clock.pending).toBe(0)
})
