import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Heap } from './heap.ts'

it('gives its items in order, whatever was pushed and removed before', () => {
  const step = fc.oneof(fc.record({ push: fc.nat(20) }), fc.record({ remove: fc.nat(30) }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const heap = new Heap<{ rank: number }>((a, b) => a.rank < b.rank)
      let model: { rank: number }[] = []
      const removals: [boolean, boolean][] = []
      const pushed: { rank: number }[] = []
      for (const step of steps) {
        if ('push' in step) {
          const item = { rank: step.push }
          heap.push(item)
          model.push(item)
          pushed.push(item)
        } else {
          const item = pushed[step.remove] ?? { rank: 0 }
          removals.push([heap.remove(item), model.includes(item)])
          model = model.filter((other) => other !== item)
        }
        expect(heap.size).toBe(model.length)
        expect(heap.first?.rank).toBe(model.length === 0 ? undefined : Math.min(...model.map(({ rank }) => rank)))
      }
      for (const [removed, wasThere] of removals) expect(removed).toBe(wasThere)
      const drained: number[] = []
      for (let item = heap.first; item; item = heap.first) {
        drained.push(item.rank)
        heap.remove(item)
      }
      expect(drained).toEqual(model.map(({ rank }) => rank).sort((a, b) => a - b))
    }),
  )
})
