import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AddressPool } from './addresses.ts'

test('the first four addresses of a subnet are the cloud’s own, and the last', () => {
  const pool = new AddressPool('10.1.2.0/28')
  const all = Array.from({ length: pool.free }, () => pool.take())
  expect(all).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((host) => `10.1.2.${host}`))
  expect(pool.taken).toEqual(all)
  expect(pool.free).toBe(0)
  expect(() => pool.take()).toThrow('No address of this subnet is left')
})

test('a cloud may keep others for itself', () => {
  const pool = new AddressPool('10.1.2.0/29', { kept: { first: 2, last: 2 } })
  const all = Array.from({ length: pool.free }, () => pool.take())
  expect(all).toEqual([2, 3, 4, 5].map((host) => `10.1.2.${host}`))
})

test('some can be passed over at first, and come last', () => {
  const pool = new AddressPool('10.1.2.0/28', { skipped: 9 })
  const all = Array.from({ length: pool.free }, () => pool.take())
  expect(all.slice(0, 3)).toEqual(['10.1.2.13', '10.1.2.14', '10.1.2.4'])
  expect(new Set(all).size).toBe(11)
})

test('no address is given twice, and what is released is free again', () => {
  const steps = fc.array(fc.oneof(fc.constant('take' as const), fc.nat(20)), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (sequence) => {
      const pool = new AddressPool('192.168.255.240/28')
      const held: string[] = []
      for (const step of sequence) {
        if (step === 'take' && pool.free > 0) held.push(pool.take())
        if (step !== 'take' && held.length > 0) pool.release(held.splice(step % held.length, 1).join())
        expect(new Set(held).size).toBe(held.length)
        expect(held.every((address) => pool.holds(address) && pool.has(address))).toBe(true)
        expect(pool.free).toBe(11 - held.length)
      }
    }),
  )
})
