import { getQueryParam } from 'ibm-cloud-sdk-core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Spoils } from '../kit/faults/spoils.ts'
import type { Account } from './account.ts'
import type { Asked } from './http/action.ts'
import { usualBehaviour } from './control/behaviour.ts'
import { listing } from './http/listing.ts'

interface Item {
  readonly id: string
  readonly number: number
}

const version = '2026-08-04'

/** A list by itself: what it needs of an account, and nothing of a server. */
function listOf(items: () => readonly Item[], order: 1 | -1) {
  const spoils = new Spoils()
  const account = { spoils, switches: { behaviour: usualBehaviour } } as unknown as Account
  const [list] = listing<Item>({
    names: ['list_items'],
    path: '/v1/items',
    collection: 'items',
    called: 'Item',
    items,
    place: ({ number }) => order * number,
    idOf: ({ id }) => id,
    write: (item) => item,
  })
  const page = (limit: number, start: string | null) => {
    const query = new URLSearchParams({ version, limit: String(limit), ...(start === null ? {} : { start }) })
    const base = { url: 'http://127.0.0.1/v1', region: 'us-south', accountId: 'a' }
    const asked = { request: { path: '/v1/items' }, path: {}, query, version, base } as unknown as Asked
    if (!list) throw new Error('A listing makes an action that lists')
    const { next, items } = list.answer(asked, account).body as { next?: { href: string }; items: Item[] }
    return { items, start: next ? getQueryParam(next.href, 'start') : null }
  }
  return { page, spoils }
}

const steps = fc.array(fc.oneof(fc.constant('add' as const), fc.nat(30)), { maxLength: 12 })
const spoiltPages = fc.array(fc.constantFrom('empty-page', 'short-page', 'long-page'), { maxLength: 3 })

test('whoever follows the links sees once, and in order, what was there all the time', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.integer({ min: 1, max: 15 }), steps, spoiltPages, (count, limit, changes, spoilt) => {
      for (const order of [1, -1] as const) {
        let made = 0
        const make = (): Item => ({ id: `item-${++made}`, number: made })
        let items = Array.from({ length: count }, make)
        const all = items
        const { page, spoils } = listOf(() => items, order)
        for (const how of spoilt) spoils.spoilNext('list_items', how, 1)
        const seen: Item[] = []
        const waiting = [...changes]
        for (let start: string | null = null, more = true; more; more = start !== null) {
          const one: { items: Item[]; start: string | null } = page(limit, start)
          seen.push(...one.items)
          start = one.start
          const change = waiting.shift()
          if (change === 'add') items = [...items, make()]
          else if (change !== undefined) items = items.filter((_, at) => at !== change)
        }
        const stayed = all.filter((item) => items.includes(item))
        expect(new Set(seen).size).toBe(seen.length)
        expect(stayed.filter((item) => !seen.includes(item))).toEqual([])
        expect(seen).toEqual(seen.toSorted((a, b) => order * (a.number - b.number)))
      }
    }),
  )
})
