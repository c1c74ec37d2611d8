import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CapacityType } from '../../api/offering.ts'
import type { Scope } from '../../api/scope.ts'
import { accountDigest, fieldManagerOf, poolName, poolSpecOf } from './pool-names.ts'

const scope: Scope = { cloud: 'aws', identity: 'default', account: '123456789012', region: 'us-east-1' }
const spot = { capacityType: 'Spot' as CapacityType, instanceType: 'm5.large', zone: 'us-east-1a' }
/** As the API server checks names of objects. */
const dnsName = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

it('the name says what it is', () => {
  expect(poolName({ cloud: 'aws', region: 'us-east-1', ...spot })).toMatch(/^aws-spot-m5-large-us-east-1a-[0-9a-f]{8}$/)
  const azure = { cloud: 'azure', region: 'westeurope', ...spot, instanceType: 'Standard_D4s_v5', zone: '1' }
  expect(poolName(azure)).toMatch(/^azure-spot-standard-d4s-v5-westeurope-1-[0-9a-f]{8}$/)
})

it('every offering that a cloud can have gets a valid name of its own', () => {
  const text = fc.string({ minLength: 1, maxLength: 300, unit: 'binary' })
  const offering = fc.record({ capacityType: fc.constant(spot.capacityType), instanceType: text, zone: text })
  fc.assert(
    fc.property(offering, offering, (a, b) => {
      const [one, other] = [poolSpecOf(scope, a), poolSpecOf(scope, b)]
      for (const spec of [one, other]) expect(spec ? poolName(spec) : 'none').toMatch(dnsName)
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      expect(one && other ? poolName(one) === poolName(other) : isSame).toBe(isSame)
    }),
  )
  const names = ['m5.large', 'm5-large', 'M5.large', 'm5/large', '..', 'x'.repeat(253)].map((instanceType) => {
    const spec = poolSpecOf(scope, { ...spot, instanceType })
    return spec && poolName(spec)
  })
  for (const name of names) expect(name).toMatch(dnsName)
  expect(new Set(names).size).toBe(names.length)
})

it('what no cloud has for a name gets no object', () => {
  for (const instanceType of ['', 'a b', 'a\n', 'ä', 'x'.repeat(254)]) {
    expect(poolSpecOf(scope, { ...spot, instanceType })).toBeUndefined()
  }
  expect(poolSpecOf(scope, { ...spot, zone: '\u0000' })).toBeUndefined()
})

it('accounts are told apart and not named, and a long Lease makes no long field manager', () => {
  const digest = accountDigest(scope)
  expect(digest).toMatch(/^[0-9a-f]{8}$/)
  expect(digest).not.toContain('1234567')
  expect(accountDigest({ ...scope, account: '210987654321' })).not.toBe(digest)
  expect(fieldManagerOf('n'.repeat(300)).length).toBeLessThan(128)
})
