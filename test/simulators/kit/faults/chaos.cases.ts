import { expect, test } from 'vitest'
import { Chaos, chaosKinds, type ChaosOptions } from './chaos.ts'

function fates(options: ChaosOptions, actions: readonly string[]): (string | undefined)[] {
  const chaos = new Chaos()
  chaos.set(options)
  return actions.map((action) => chaos.strike(action)?.kind)
}

const many = Array.from({ length: 2000 }, () => 'RunInstances')

test('as many calls are hit as the rate says, by each kind about as often', () => {
  const hits = fates({ rate: 0.3, seed: 5 }, many).filter((kind) => kind !== undefined)
  expect(hits.length / many.length).toBeGreaterThan(0.26)
  expect(hits.length / many.length).toBeLessThan(0.34)
  for (const kind of chaosKinds) {
    const share = hits.filter((hit) => hit === kind).length / hits.length
    expect(share).toBeGreaterThan(0.11)
    expect(share).toBeLessThan(0.23)
  }
})

test('the fate of an action depends on the seed and on nothing else that is called', () => {
  const options = { rate: 0.5, seed: 1 }
  const alone = fates(options, many)
  const mixed = fates(
    options,
    many.flatMap((action) => ['DescribeInstances', action, 'TerminateInstances']),
  )
  expect(mixed.filter((_, at) => at % 3 === 1)).toEqual(alone)
  expect(fates({ rate: 0.5, seed: 2 }, many)).not.toEqual(alone)
})

test('a higher rate hits more calls, and all of those that a lower one hits', () => {
  const [low, high] = [fates({ rate: 0.2 }, many), fates({ rate: 0.6 }, many)]
  expect(low.filter((kind, at) => kind !== undefined && kind !== high[at])).toEqual([])
})

test('a rate of 0 hits nothing, a rate of 1 everything', () => {
  expect(new Set(fates({ rate: 0 }, many))).toEqual(new Set([undefined]))
  expect(new Set(fates({ rate: 1, kinds: ['slow'] }, many))).toEqual(new Set(['slow']))
})
