import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { zonesInOrder } from './zones-in-order.ts'

describe('the order of zones', () => {
  const zones = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 8 })
  const name = fc.string()

  it('has each zone once, and hangs on neither the order nor the time', () => {
    fc.assert(
      fc.property(name, zones, (machine, all) => {
        const order = zonesInOrder(machine, all)
        expect(order.toSorted()).toEqual(all.toSorted())
        expect(zonesInOrder(machine, all.toReversed())).toEqual(order)
      }),
    )
  })

  it('without one zone is the same order without it', () => {
    fc.assert(
      fc.property(name, zones, fc.nat(), (machine, all, at) => {
        const gone = all[at % all.length]
        const left = all.filter((zone) => zone !== gone)
        expect(zonesInOrder(machine, left)).toEqual(zonesInOrder(machine, all).filter((zone) => zone !== gone))
      }),
    )
  })

  it('spreads machines evenly', () => {
    const three = ['us-east-1a', 'us-east-1b', 'us-east-1c']
    const counts = new Map(three.map((zone) => [zone, 0]))
    for (let n = 0; n < 900; n++) {
      const [zone = ''] = zonesInOrder(`default/pool-x7k2p-${n.toString(36).padStart(5, 'q')}`, three)
      counts.set(zone, (counts.get(zone) ?? 0) + 1)
    }
    // 300 each; five standard deviations are 71.
    for (const count of counts.values()) expect(Math.abs(count - 300)).toBeLessThan(71)
  })
})
