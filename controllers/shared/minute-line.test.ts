import { expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { MinuteLine } from './minute-line.ts'

function rig() {
  const clock = new FakeClock()
  const stop = new AbortController()
  const told: unknown[] = []
  const line = new MinuteLine((counts) => void told.push(counts), quietCtx({ clock, signal: stop.signal }))
  return { clock, stop, told, line }
}

it('the first is told at once, and the others of the minute together at its end', async () => {
  const { clock, told, line } = rig()
  for (let n = 0; n < 10_000; n++) line.add('malformed')
  line.add('foreign')
  expect(told).toEqual([{ malformed: 1 }])
  await clock.advance(59_999)
  expect(told).toHaveLength(1)
  await clock.advance(1)
  expect(told).toEqual([{ malformed: 1 }, { malformed: 9_999, foreign: 1 }])
})

it('a minute without any ends the lines, and the next is told at once', async () => {
  const { clock, told, line } = rig()
  line.add('foreign')
  await clock.advance(60_000)
  expect(clock.pending).toBe(0)
  line.add('foreign')
  expect(told).toEqual([{ foreign: 1 }, { foreign: 1 }])
})

it('leaves no timer behind', () => {
  const { clock, stop, line } = rig()
  line.add('foreign')
  stop.abort(new Error('enough'))
  expect(clock.pending).toBe(0)
  line.add('foreign')
  expect(clock.pending).toBe(0)
})
