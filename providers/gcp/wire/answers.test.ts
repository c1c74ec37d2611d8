import { describe, expect, it } from 'vitest'
import { listShape, shapes } from './answers.ts'

const zone = 'https://www.googleapis.com/compute/v1/projects/p/zones/us-central1-ai1a'
const instance = { id: '18446744073709551615', name: 'm1', zone, status: 'RUNNING' }

describe('an instance of GCE', () => {
  it('is one with fields that are new to us, and without those that GCE leaves out', () => {
    expect(shapes.instance({ ...instance, something: ['new'] })).toBe(true)
  })

  it.each([
    ['an id that is no number', { id: '../1' }],
    ['a number for an id', { id: 42 }],
    ['no name', { name: undefined }],
    ['a name that GCE gives to nothing', { name: 'a'.repeat(2_000) }],
    ['a zone that is none', { zone: 'https://www.googleapis.com/compute/v1/projects/p/zones/a b' }],
    ['no status', { status: undefined }],
    ['a label that is no text', { labels: { a: 1 } }],
    ['an address that is no text', { networkInterfaces: [{ networkIP: {} }] }],
    ['interfaces that are no list', { networkInterfaces: {} }],
  ])('is none with %s', (_, over) => {
    expect(shapes.instance({ ...instance, ...over })).toBe(false)
  })
})

describe('a list of GCE', () => {
  const shape = listShape('instances', shapes.instance)

  it('is one with zones that hold instances, with a warning or with neither', () => {
    expect(shape({})).toBe(true)
    expect(shape({ items: { 'zones/a': { instances: [instance] }, 'zones/b': { warning: { code: 'X' } } } })).toBe(true)
  })

  it.each([
    { items: [] },
    { items: { 'zones/a': { instances: [{}] } } },
    { items: { 'zones/a': null } },
    { nextPageToken: 1 },
    { unreachables: 'zones/a' },
  ])('is none: %j', (answer) => {
    expect(shape(answer)).toBe(false)
  })
})

it.each([{ targetId: 'x/../y' }, { error: { errors: [null] } }, { error: { errors: [{ code: 1 }] } }, { user: {} }])(
  'an operation of GCE is none: %j',
  (answer) => {
    expect(shapes.operation(answer)).toBe(false)
  },
)
