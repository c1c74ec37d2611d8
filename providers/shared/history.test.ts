import { expect, it } from 'vitest'
import type { Instance } from '../../api/instance.ts'
import { EndedInstances } from './history.ts'

const instance: Instance = {
  id: 'i-1',
  state: 'running',
  started: true,
  tag: undefined,
  capacityType: 'Spot',
  instanceType: 'large',
  zone: 'z1',
  addresses: [],
}

it('remembers an instance as terminated, whatever its last state', () => {
  const ended = new EndedInstances({})
  ended.remember('token', instance)
  expect(ended.of('token')).toEqual({ ...instance, state: 'terminated' })
  ended.forget('token')
  expect(ended.of('token')).toBeUndefined()
})

it('forgets the first of too many, and each one after its time', () => {
  const ended = new EndedInstances({ most: 2, forMs: 10 })
  for (const [at, id] of ['a', 'b', 'c'].entries()) ended.remember(id, { ...instance, id }, at)
  expect(ended.all(5).map(({ id }) => id)).toEqual(['b', 'c'])
  expect(ended.all(11).map(({ id }) => id)).toEqual(['c'])
  expect(ended.all(12)).toEqual([])
})
