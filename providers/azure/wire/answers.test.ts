import { describe, expect, it } from 'vitest'
import { pageIn, resourceIn, shapes } from './answers.ts'

const machine = { id: '/subscriptions/s/resourceGroups/g/providers/x/virtualMachines/m1', name: 'm1' }
const foreign = (kind: string) => expect.objectContaining({ kind, code: 'ForeignAnswer' }) as Error

describe('a machine of Azure', () => {
  it('is one with fields that are new to us, without those that Azure leaves out, and with those that are null', () => {
    const body = { ...machine, tags: null, zones: null, properties: { something: 'new' } }
    expect(resourceIn({ status: 200, body }, shapes.machine)).toBe(body)
  })

  it.each([
    [{ id: '' }],
    [{ name: 7 }],
    [{ tags: { a: 1 } }],
    [{ zones: '1' }],
    [{ properties: { instanceView: { statuses: [null] } } }],
    [{ properties: { instanceView: { statuses: [{ code: {} }] } } }],
    [{ properties: { hardwareProfile: { vmSize: [] } } }],
  ])('is none with %j', (over) => {
    const answer = { status: 200, body: { ...machine, ...over } }
    expect(() => resourceIn(answer, shapes.machine)).toThrow(foreign('transient'))
    expect(() => resourceIn(answer, shapes.machine, 'ambiguous')).toThrow(foreign('ambiguous'))
  })
})

describe('a page of Azure', () => {
  it('is the last one where nothing says that there is another', () => {
    for (const nextLink of [undefined, null, '']) {
      const body = { value: [machine], nextLink }
      expect(pageIn({ status: 200, body }, shapes.machine)).toEqual({ items: [machine], next: undefined })
    }
  })

  it.each([{}, { value: {} }, { value: [{}] }, { value: [machine], nextLink: 7 }, undefined, 'text'])(
    'is none: %j',
    (body) => {
      expect(() => pageIn({ status: 200, body }, shapes.machine)).toThrow(foreign('transient'))
    },
  )
})
