import fc from 'fast-check'
import { expect, it } from 'vitest'
import { leastCapacity, typesOfOtherArchitecture, typesOfOtherCapacity, type SizeOfType } from './least-capacity.ts'

const size = (instanceType: string, capacity: Record<string, string>, architecture = 'amd64'): SizeOfType => ({
  instanceType,
  capacity,
  architecture,
})
const large = size('m5.large', { cpu: '2', memory: '8192Mi' })

it('is the smallest of each resource, whatever its unit', () => {
  const cheap = size('c5.xlarge', { cpu: '4', memory: '8Gi' })
  const small = size('t3.medium', { cpu: '2', memory: '4Gi' })
  expect(leastCapacity([large, cheap, small])).toEqual({ cpu: '2', memory: '4Gi' })
  expect(leastCapacity([cheap, size('r5.large', { cpu: '2', memory: '16Gi' })])).toEqual({ cpu: '2', memory: '8Gi' })
  expect(leastCapacity([large, size('gb', { cpu: '2', memory: '8G' })])).toEqual({ cpu: '2', memory: '8G' })
})

it('leaves out what one of them lacks', () => {
  const gpu = size('g5.xlarge', { cpu: '4', memory: '16Gi', 'nvidia.com/gpu': '1' })
  expect(leastCapacity([gpu, large])).toEqual({ cpu: '2', memory: '8192Mi' })
  expect(leastCapacity([large, gpu])).toEqual({ cpu: '2', memory: '8192Mi' })
})

it('names the types of another size, and not those that only write it otherwise', () => {
  const same = size('m5a.large', { cpu: '2', memory: '8Gi' })
  const other = size('m5.xlarge', { cpu: '4', memory: '16Gi' })
  const gpu = size('g5.large', { cpu: '2', memory: '8Gi', 'nvidia.com/gpu': '1' })
  expect(typesOfOtherCapacity([large, same, other, gpu])).toEqual(['m5.xlarge', 'g5.large'])
  expect(typesOfOtherCapacity([large])).toEqual([])
})

it('names the types of another architecture', () => {
  const arm = size('m6g.large', large.capacity, 'arm64')
  expect(typesOfOtherArchitecture([large, arm]).map(({ instanceType }) => instanceType)).toEqual(['m6g.large'])
  expect(typesOfOtherArchitecture([arm, arm])).toEqual([])
})

const capacities = fc.dictionary(
  fc.constantFrom('cpu', 'memory', 'nvidia.com/gpu'),
  fc
    .tuple(fc.integer({ min: 0, max: 500 }), fc.constantFrom('', 'Ki', 'Mi', 'Gi', 'k', 'M'))
    .map((all) => all.join('')),
)

it('is the same in any order, and of a type by itself that of the type', () => {
  fc.assert(
    fc.property(fc.array(capacities, { minLength: 1, maxLength: 5 }), (all) => {
      const [first, ...others] = all.map((capacity, at) => size(`t${at}`, capacity))
      if (!first) return
      const [last, ...before] = [first, ...others].toReversed()
      if (!last) return
      const one = size('least', leastCapacity([first, ...others]))
      expect(typesOfOtherCapacity([one, size('reversed', leastCapacity([last, ...before]))])).toEqual([])
      expect(leastCapacity([first])).toEqual(first.capacity)
    }),
  )
})
