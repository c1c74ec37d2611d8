import { expect, it } from 'vitest'
import type { Notice } from '../../api/notice.ts'
import { PendingNotices } from './pending-notices.ts'

const notice = (deadline: number): Notice => ({ instance: 'i-1', kind: 'Spot', source: 'Queue', at: 0, deadline })
const sooner = notice(1)
const later = notice(2)

it('of two notices the one with the earlier deadline counts, in any order', () => {
  const notices = new PendingNotices()
  for (const order of [
    [sooner, later],
    [later, sooner],
  ]) {
    for (const one of order) void notices.give('m1', one)
    expect(notices.of('m1')).toBe(sooner)
    notices.forget('m1')
  }
})

it('a giver hears when the decision is written, and not of another notice that was decided before', async () => {
  const notices = new PendingNotices()
  let heard = 0
  const given = notices.give('m1', later).then(() => heard++)
  const hurried = notices.give('m1', sooner).then(() => heard++)
  notices.decided('m1', later)
  expect(notices.of('m1')).toBe(sooner)
  notices.decided('m1', sooner)
  await Promise.all([given, hurried])
  expect(heard).toBe(2)
  expect(notices.of('m1')).toBeUndefined()
})

it('a giver hears when the Machine is gone', async () => {
  const notices = new PendingNotices()
  const given = notices.give('m1', later)
  notices.forget('m1')
  await expect(given).resolves.toBeUndefined()
})

it('a weaker notice with an earlier deadline hides no stronger one', () => {
  const notices = new PendingNotices()
  const { deadline: _, ...strong } = sooner
  const weak: Notice = { ...sooner, kind: 'Maintenance' }
  void notices.give('m1', weak)
  void notices.give('m1', strong)
  notices.decided('m1', weak)
  expect(notices.of('m1')).toBe(strong)
})

it('what a Node takes back is decided no more, and what others say is', () => {
  const notices = new PendingNotices()
  void notices.give('m1', { ...sooner, source: 'Node' })
  void notices.give('m1', later)
  notices.withdraw('m1')
  expect(notices.of('m1')).toBe(later)
})

it('nothing stays of a Machine that is gone', () => {
  const notices = new PendingNotices()
  expect(notices.has('m1')).toBe(false)
  notices.withdraw('m1')
  expect(notices.has('m1')).toBe(true)
  notices.forget('m1')
  expect(notices.has('m1')).toBe(false)
  void notices.give('m1', later)
  expect(notices.has('m1')).toBe(true)
  notices.forget('m1')
  expect(notices.has('m1')).toBe(false)
})
