import { describe, expect, it } from 'vitest'
import type { Notice } from '../../api/notice.ts'
import { FakeCloud } from '../../test/support/fakes/fake-cloud.ts'
import { FakeNotices } from '../../test/support/fakes/fake-notices.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { Launch } from '../instances.ts'
import type { Instance } from '../../api/instance.ts'
import { tagOf } from '../shared/ownership.ts'
import type { ShownNotices } from '../notices.ts'
import { normalized, normalizedNotices } from './normalized.ts'

const scope = { cloud: 'aws', identity: 'default', region: 'r' } as const
const want: Launch = {
  owner: 'o',
  machine: 'default/m1',
  token: 't',
  scope,
  request: {},
  userData: new Uint8Array(),
  clusterName: 'c1',
}
const thrownBy = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown)

it.each<Record<string, unknown>>([
  { zone: 7 },
  { instanceType: 'x'.repeat(257) },
  { reason: {} },
  { reason: { code: 'a' } },
  { reason: { code: 'a', message: {} } },
  { tag: { owner: 'o' } },
  { addresses: [{ type: 'InternalIP' }] },
  { state: 'odd' },
  { failure: {} },
  { interrupted: 'yes' },
])('an instance that is not whole makes its list unusable: %j', async (over) => {
  const cloud = new FakeCloud()
  const { id } = await cloud.create(want, quietCtx())
  cloud.set(id, 'running', over)
  const list = async () => {
    for await (const page of normalized(cloud).list(scope, quietCtx())) expect(page.items).toEqual([])
  }
  expect(await thrownBy(list())).toMatchObject({ kind: 'transient', code: 'ForeignAnswer' })
})

it.each([
  ['without a tag', undefined],
  ['of another owner', tagOf({ ...want, owner: 'another' })],
  ['of another machine', tagOf({ ...want, machine: 'default/m2' })],
  ['of another attempt', tagOf({ ...want, token: 'another' })],
])('an instance %s is no answer to a create, whatever the adapter says', async (_, tag) => {
  const cloud = new FakeCloud()
  const { id } = await cloud.create(want, quietCtx())
  cloud.set(id, 'running', { tag })
  cloud.create = () => Promise.resolve(cloud.instances.get(id) as Instance)
  expect(await thrownBy(normalized(cloud).create(want, quietCtx()))).toMatchObject({
    kind: 'conflict',
    code: 'NotOurs',
  })
})

it('a failure while an answer is read leaves open what a create has done', async () => {
  const cloud = new FakeCloud()
  cloud.create = () => Promise.reject(new TypeError('x is not a function'))
  expect(await thrownBy(normalized(cloud).create(want, quietCtx()))).toMatchObject({ kind: 'ambiguous' })
})

it('what the cloud refuses stays what it is', async () => {
  const cloud = new FakeCloud()
  const refusal = new CloudError('capacity', { code: 'None', message: 'None.' })
  cloud.createFaults.push({ when: 'before', error: refusal })
  expect(await thrownBy(normalized(cloud).create(want, quietCtx()))).toBe(refusal)
})

describe('notices', () => {
  const notice: Notice = { instance: 'i-1', kind: 'Spot', at: 1, deadline: 2, source: 'SpotRequests' }
  const listed = async (notices: ShownNotices) => {
    const all: Notice[] = []
    for await (const page of normalizedNotices(notices).list(scope, quietCtx())) all.push(...page.notices)
    return all
  }

  it.each<Record<string, unknown>>([
    { instance: '' },
    { instance: 7 },
    { instance: 'x'.repeat(257) },
    { kind: 'Odd' },
    { kind: undefined },
    { at: Number.NaN },
    { at: '1' },
    { deadline: 'soon' },
    { deadline: Number.POSITIVE_INFINITY },
    { source: 'Rumour' },
  ])('one that is not whole is left out, and hides no other: %j', async (over) => {
    const notices = new FakeNotices()
    notices.shown.push({ ...notice, ...over }, notice)
    expect(await listed(notices)).toEqual([notice])
  })

  it.each<Record<string, unknown>>([{ instance: '' }, { instance: 7 }, { since: 'long' }, { since: Number.NaN }])(
    'a failed check and a notice that is over are left out, too: %j',
    async (broken) => {
      const notices = new FakeNotices()
      const failed = { instance: 'i-1', since: 1 }
      notices.impaired = [{ ...failed, ...broken }, failed]
      notices.over.push({ ...notice, kind: 'Odd' as 'Spot' }, notice)
      const all: unknown[] = []
      for await (const page of normalizedNotices(notices).list(scope, quietCtx())) all.push(page)
      expect(all).toEqual([{ notices: [], impaired: [failed], over: [notice] }])
    },
  )

  it('without a deadline they are whole', async () => {
    const notices = new FakeNotices()
    const { deadline: _, ...open } = notice
    notices.shown.push(open)
    expect(await listed(notices)).toEqual([open])
  })

  it('every failure is a CloudError; what the cloud refuses stays what it is', async () => {
    const notices = new FakeNotices()
    notices.fault = new TypeError('x is not a function')
    expect(await thrownBy(listed(notices))).toMatchObject({ kind: 'transient', code: 'ForeignAnswer' })
    const refusal = new CloudError('denied', { code: 'None', message: 'None.' })
    notices.fault = refusal
    expect(await thrownBy(listed(notices))).toBe(refusal)
  })
})
