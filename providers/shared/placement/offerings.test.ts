import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { offeringKey } from '../../../api/offering.ts'
import { rungsOf, type FallbackEntry, type Rung } from '../../../api/rules/capacity/rung.ts'
import { refusalOf } from '../../../test/support/thrown-by.ts'
import { offeringsIn, unlessDenied, type Catalogue } from './offerings.ts'
import { zonesInOrder } from './zones-in-order.ts'

const own = { capacityType: 'Spot', instanceType: 'm5' } as const

interface Given {
  readonly entry?: FallbackEntry
  readonly sold?: Readonly<Record<string, readonly string[] | undefined>>
}

/** A cluster with subnets in a, b and c, and what was asked of the cloud. */
function catalogue({ sold = {} }: Given, more: Partial<Catalogue> = {}): Catalogue & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    machine: 'default/m1',
    zones: ['a', 'b', 'c'],
    failureDomain: undefined,
    obstacleIn: ({ zone, zoneIs }) => ('abc'.includes(zone) ? undefined : `No subnet in ${zone}, ${zoneIs}.`),
    zonesSelling(type) {
      asked.push(type)
      return Promise.resolve(sold[type])
    },
    ...more,
  }
}

function rung({ entry }: Given): Rung {
  return rungsOf(own, entry && [entry]).at(-1) as Rung
}

async function keys(given: Given, more: Partial<Catalogue> = {}): Promise<string[]> {
  return (await offeringsIn(catalogue(given, more), rung(given))).map(offeringKey)
}

describe('the offerings of a rung', () => {
  it('are type by type, each in the machine’s own order of zones', async () => {
    const [first, second, third] = zonesInOrder('default/m1', ['a', 'b', 'c'])
    const entry = { capacityType: 'OnDemand', instanceTypes: ['x', 'y'] } as const
    expect(await keys({ entry })).toEqual([
      ...[first, second, third].map((zone) => `OnDemand:x:${zone}`),
      ...[first, second, third].map((zone) => `OnDemand:y:${zone}`),
    ])
  })

  it('leave out zones that do not sell the type, and types that no zone sells beside others', async () => {
    const entry = { instanceTypes: ['x', 'y', 'z'] }
    const sold = { x: ['b'], y: [], z: undefined }
    expect((await keys({ entry, sold })).toSorted()).toEqual(['Spot:x:b', 'Spot:z:a', 'Spot:z:b', 'Spot:z:c'])
  })

  it('are all that the rung names where none is sold: then the cloud’s refusal tells it', async () => {
    expect(await keys({ entry: { instanceTypes: ['x', 'y'], zones: ['a'] }, sold: { x: [], y: [] } })).toEqual([
      'Spot:x:a',
      'Spot:y:a',
    ])
  })

  it('are bounded by the failure domain', async () => {
    expect(await keys({}, { failureDomain: 'b' })).toEqual(['Spot:m5:b'])
    expect(await keys({ entry: { zones: ['a', 'b'] } }, { failureDomain: 'b' })).toEqual(['Spot:m5:b'])
  })

  it('are asked for only where there is a choice', async () => {
    const one = catalogue({})
    await offeringsIn(one, rung({ entry: { zones: ['a'] } }))
    expect(one.asked).toEqual([])
    const twice = catalogue({})
    await offeringsIn(twice, rung({ entry: { zones: ['a'], instanceTypes: ['x', 'y', 'x'] } }))
    expect(twice.asked).toEqual(['x', 'y'])
  })

  it('leave out zones where the machine cannot be', async () => {
    expect(await keys({ entry: { zones: ['d', 'c'] } })).toEqual(['Spot:m5:c'])
  })
})

describe('a rung that can never work is refused, with the field', () => {
  it.each<[string, FallbackEntry | undefined, Partial<Catalogue>, string]>([
    ['no zone with a subnet', { zones: ['d'] }, {}, 'No subnet in d, which spec.fallback[0].zones names.'],
    [
      'a failure domain without a subnet',
      undefined,
      { failureDomain: 'd' },
      'No subnet in d, the failure domain of the Machine.',
    ],
    [
      'zones without the failure domain',
      { zones: ['a'] },
      { failureDomain: 'b' },
      'spec.fallback[0].zones lacks b, the failure domain of the Machine; add it, or remove the entry.',
    ],
    [
      'no type',
      { instanceTypes: [] },
      {},
      'spec.fallback[0] names no instance type; name one, or leave the field out.',
    ],
    ['no zone', { zones: [] }, {}, 'spec.fallback[0].zones is empty; name a zone, or leave the field out.'],
    ['garbage in `after`', { after: 'soon' }, {}, 'spec.fallback[0].after is no duration; write one such as 10m.'],
    [
      'no zone of the cluster',
      undefined,
      { zones: [] },
      'The infrastructure cluster has no zone; name subnets or failure domains there.',
    ],
  ])('%s', async (_, entry, more, message) => {
    const given = entry ? { entry } : {}
    expect(await refusalOf(offeringsIn(catalogue(given, more), rung(given)))).toMatchObject({
      kind: 'invalid',
      message,
    })
  })
})

it('an offering is never twice in a rung, and always in a zone where the machine can be', async () => {
  const zones = fc.constantFrom('a', 'b', 'c', 'd')
  const types = fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 5 })
  const sold = fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.array(zones), { noNullPrototype: true })
  const entries = fc.record({ instanceTypes: types, zones: fc.array(zones, { minLength: 1 }) })
  await fc.assert(
    fc.asyncProperty(entries, sold, async (entry, selling) => {
      fc.pre(entry.zones.some((zone) => zone !== 'd'))
      const found = await keys({ entry, sold: selling })
      expect(found.length).toBeGreaterThan(0)
      expect(new Set(found).size).toBe(found.length)
      expect(found.filter((key) => key.endsWith(':d'))).toEqual([])
    }),
  )
})

it('a look-up that is denied tells nothing, and another failure is not hidden', async () => {
  const fails = (kind: 'denied' | 'transient') => Promise.reject(new CloudError(kind, { code: 'X', message: 'Y.' }))
  expect(await unlessDenied(fails('denied'))).toBeUndefined()
  expect(await refusalOf(unlessDenied(fails('transient')))).toMatchObject({ kind: 'transient' })
})
