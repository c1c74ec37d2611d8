import { expect, it } from 'vitest'
import type { Interruption } from '../../../api/interruption.ts'
import type { Scope } from '../../../api/scope.ts'
import { ShownLists } from './shown-lists.ts'

const scope: Scope = { cloud: 'aws', identity: 'default', account: '1', region: 'us-east-1' }
const decided: Interruption = {
  for: 'default/m1',
  instance: 'i-1',
  kind: 'Spot',
  source: 'SpotRequests',
  at: '1970-01-01T00:00:00Z',
  act: 'Tell',
}
const list = (begunAt: number, over: { scope?: Scope; noticed?: string[] } = {}) => ({
  source: 'SpotRequests' as const,
  scope: over.scope ?? scope,
  begunAt,
  up: new Set(['i-1']),
  noticed: new Set(over.noticed ?? []),
  over: [],
})

function listedTwice(at: Scope): ShownLists {
  const lists = new ShownLists()
  lists.add(list(1, { scope: at }))
  lists.add(list(2, { scope: at }))
  return lists
}

it('the last two lists of a place count for its instances', () => {
  const lists = new ShownLists()
  lists.add(list(1, { noticed: ['i-1'] }))
  lists.add(list(2))
  expect(lists.isWithdrawn(decided, scope)).toBe(false)
  lists.add(list(3))
  expect(lists.isWithdrawn(decided, scope)).toBe(true)
  lists.add(list(4, { noticed: ['i-1'] }))
  expect(lists.isWithdrawn(decided, scope)).toBe(false)
})

const { account: _, ...unknown } = scope

it.each<[string, Scope, boolean]>([
  ['the same account', scope, true],
  ['an account that was not known then', unknown, true],
  ['another account', { ...scope, account: '2' }, false],
  ['another region', { ...scope, region: 'eu-west-1' }, false],
  ['other credentials', { ...scope, identity: 'secret/other' }, false],
  ['another cloud', { ...scope, cloud: 'gcp' }, false],
])('lists of %s', (__, at, expected) => expect(listedTwice(at).isWithdrawn(decided, scope)).toBe(expected))

it('where nobody lists any more nothing is kept', () => {
  const lists = listedTwice(scope)
  lists.forget({ ...scope, region: 'eu-west-1' })
  expect(lists.isWithdrawn(decided, scope)).toBe(true)
  lists.forget(scope)
  expect(lists.isWithdrawn(decided, scope)).toBe(false)
})
