import { expect, it } from 'vitest'
import { RecentMap } from './recent-map.ts'

it('keeps the entries that were set last, and counts one that is set again as new', () => {
  const map = new RecentMap<number>(2)
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
