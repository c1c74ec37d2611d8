import { expect, test } from 'vitest'
import { Latency } from './latency.ts'

test('times lie between the least and the most, spread over both halves, and are the same for the same seed', () => {
  const draw = (seed: number) => {
    const latency = new Latency()
    latency.set({ minMs: 50, maxMs: 250, seed })
    return Array.from({ length: 100 }, () => latency.of('RunInstances'))
  }
  const times = draw(1)
  expect(Math.min(...times)).toBeGreaterThanOrEqual(50)
  expect(Math.max(...times)).toBeLessThanOrEqual(250)
  const quick = times.filter((time) => time < 150).length
  expect(quick).toBeGreaterThan(30)
  expect(quick).toBeLessThan(70)
  expect(draw(1)).toEqual(times)
  expect(draw(2)).not.toEqual(times)
})
