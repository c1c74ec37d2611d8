import { describe, expect, it } from 'vitest'
import { FakeClock } from '../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../test/support/fakes/quiet-ctx.ts'
import { Deadline } from './deadline.ts'

describe('a deadline', () => {
  it('fires with its reason when the time is over, counted from the last restart', async () => {
    const clock = new FakeClock()
    const deadline = new Deadline(10, () => new Error('too late'), quietCtx({ clock }))
    await clock.advance(9)
    deadline.restart()
    await clock.advance(9)
    expect(deadline.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(deadline.signal.reason).toEqual(new Error('too late'))
    expect(deadline.isOver).toBe(true)
  })

  it('fires with the reason of ctx, also when that has fired before', () => {
    const stop = new AbortController()
    const before = new Deadline(10, () => new Error('too late'), quietCtx({ signal: stop.signal }))
    stop.abort(new Error('going home'))
    expect(before.isOver).toBe(false)
    const clock = new FakeClock()
    const after = new Deadline(10, () => new Error('too late'), quietCtx({ clock, signal: stop.signal }))
    expect([before.signal.reason, after.signal.reason]).toEqual([new Error('going home'), new Error('going home')])
    expect(clock.pending).toBe(0)
  })
})
