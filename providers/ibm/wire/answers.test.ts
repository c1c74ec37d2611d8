import { describe, expect, it } from 'vitest'
import { ForeignAnswer } from '../../shared/foreign-answer.ts'
import { pageOf, readInstance, readNamed, readProfile, readSubnet, readToken } from './answers.ts'

const instance = {
  id: '0717_1',
  name: 'm1',
  crn: 'crn:v1',
  status: 'running',
  profile: { name: 'bxf-2x8' },
  zone: { name: 'us-south-1' },
}

describe('a page', () => {
  const read = pageOf('keys', readNamed)
  const keys = [{ id: 'k1', name: 'one' }]

  it.each([
    ['a whole address', 'https://us-south.iaas.cloud.ibm.com/v1/keys?limit=100&start=abc%2B1', 'abc+1'],
    ['the end of one', '/v1/keys?start=abc&limit=100', 'abc'],
    ['nothing but parameters', '?start=abc', 'abc'],
  ])('is followed by the one that %s leads to', (_, href, next) => {
    expect(read({ keys, limit: 100, next: { href } })).toEqual({ items: keys, next })
  })

  it.each([[undefined], [null]])('is the last one where next is %s', (next) => {
    expect(read({ keys, next })).toEqual({ items: keys, next: undefined })
  })

  it.each([
    ['no list', {}],
    ['another list', { images: [] }],
    ['a list of something else', { keys: ['k1'] }],
    ['a next one that leads nowhere', { keys, next: { href: 'https://somewhere/v1/keys' } }],
    ['a next one without an address', { keys, next: {} }],
    ['text', '<html>'],
    ['nothing', undefined],
  ])('with %s is not IBM’s', (_, answer) => {
    expect(() => read(answer)).toThrow(ForeignAnswer)
  })
})

describe('an instance', () => {
  it('is taken as IBM wrote it, with fields that are new to us', () => {
    const answer = { ...instance, something: 'new' }
    expect(readInstance(answer)).toBe(answer)
  })

  it.each(['id', 'name', 'crn', 'status', 'profile', 'zone'])('without %s is not IBM’s', (field) => {
    expect(() => readInstance({ ...instance, [field]: undefined })).toThrow(ForeignAnswer)
    expect(() => readInstance({ ...instance, [field]: '' })).toThrow(ForeignAnswer)
  })
})

it.each([
  ['a reason without a code', { status_reasons: [{ message: 'Why.' }] }],
  ['a reason that is none', { lifecycle_reasons: [null] }],
  ['reasons that are no list', { status_reasons: {} }],
  ['an id that could be a path', { id: '../keys' }],
  ['a VPC without an id', { vpc: {} }],
  ['an address that is no text', { primary_network_interface: { primary_ip: { address: 10 } } }],
])('an instance with %s is not IBM’s', (_, over) => {
  expect(() => readInstance({ ...instance, ...over })).toThrow(ForeignAnswer)
})

it.each([
  ['a profile', readProfile, { name: 'bxf-2x8', vcpu_count: { type: 'fixed', value: 2 } }],
  ['a subnet', readSubnet, { id: 's', zone: { name: 'us-south-1' } }],
  ['a token', readToken, { access_token: 'jwt' }],
  ['an empty token', readToken, { access_token: '', expires_in: 3600 }],
])('%s that lacks something is not IBM’s', (_, read, answer) => {
  expect(() => read(answer)).toThrow(ForeignAnswer)
})

it.each([
  ['too long for a header', 'a'.repeat(8_001)],
  ['of two lines', 'a\nb'],
  ['with letters that no header has', 'é'],
])('a token that is %s is not IBM’s: the API would refuse it without a word of credentials', (_, token) => {
  expect(() => readToken({ access_token: token, expires_in: 3600 })).toThrow(ForeignAnswer)
})
