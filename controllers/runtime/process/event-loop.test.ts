import { expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { EventLoop } from './event-loop.ts'

/** A clock whose timers come late, as they do while something keeps the event loop busy. */
class BusyClock extends FakeClock {
  #lateMs = 0

  override monotonic(): number {
    return super.monotonic() + this.#lateMs
  }

  /** Time passes and nothing runs. */
  hang(ms: number): void {
    this.#lateMs += ms
  }
}

function running() {
  const clock = new BusyClock()
  const stop = new AbortController()
  const loop = new EventLoop({ clock })
  const ended = loop.run(quietCtx({ clock, signal: stop.signal }))
  return { clock, loop, stop, ended }
}

it('is not late when nothing keeps it busy', async () => {
  const { clock, loop } = running()
  expect(loop.lag()).toEqual({ p50Ms: 0, p99Ms: 0, longestMs: 0 })
  await clock.advance(5_000)
  expect(loop.lag()).toEqual({ p50Ms: 0, p99Ms: 0, longestMs: 0 })
})

it('counts a hang for as long as it was, not as one sample of many', async () => {
  const { clock, loop } = running()
  await clock.advance(10_000)
  clock.hang(1_000)
  await clock.advance(10_000)
  const { p50Ms, p99Ms, longestMs } = loop.lag()
  expect(p50Ms).toBe(0)
  expect(p99Ms).toBeGreaterThan(700)
  expect(longestMs).toBeGreaterThanOrEqual(980)
  expect(longestMs).toBeLessThanOrEqual(1_000)
})

it('shows a hang while it lasts, and forgets it after half a minute', async () => {
  const { clock, loop } = running()
  await clock.advance(1_000)
  clock.hang(12_000)
  expect(loop.lag().longestMs).toBeGreaterThan(11_900)
  await clock.advance(31_000)
  expect(loop.lag()).toEqual({ p50Ms: 0, p99Ms: 0, longestMs: 0 })
})

it('leaves no timer behind', async () => {
  const { clock, stop, ended } = running()
  await clock.advance(100)
  stop.abort(new Error('over'))
  await ended
  expect(clock.pending).toBe(0)
})
