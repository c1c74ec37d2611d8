import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeCloud, fakeScope } from '../../test/support/fakes/fake-cloud.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { Instance } from '../../api/instance.ts'
import type { InstancePage, Launch } from '../instances.ts'
import { machineDigest, tagOf } from '../shared/ownership.ts'
import { staleReadMs, visibilityGraceMs } from '../wire/limits.ts'
import { Fleet } from './fleet.ts'

const scope = fakeScope
const clock = () => new FakeClock()

let stop: AbortController
let time: FakeClock
let cloud: FakeCloud
let changed: string[]
let fleet: Fleet
let ended: Promise<void>
const ctx = () => quietCtx({ clock: time, signal: stop.signal, log: keptLog() })

function begin(): void {
  fleet = new Fleet({ scope, instances: cloud, pollIntervalMs: 15_000, onChange: (machine) => changed.push(machine) })
  ended = fleet.run(ctx())
}

async function make(machine: string, token = `token-${machine}`): Promise<Instance> {
  const want = {
    scope,
    owner: 'o',
    machine,
    token,
    request: {},
    userData: new Uint8Array(),
    clusterName: 'c',
  } satisfies Launch
  const made = await cloud.create(want, ctx())
  cloud.set(made.id, 'running')
  return cloud.instances.get(made.id) ?? made
}

const nobodys = tagOf({ owner: 'o', machine: 'default/x', token: 't' })
const refOf = ({ id, tag = nobodys }: Instance) => ({ scope, tag, id })
const listsIn = async (ms: number) => {
  const before = cloud.count('list')
  await time.advance(ms)
  return cloud.count('list') - before
}

beforeEach(async () => {
  stop = new AbortController()
  time = clock()
  cloud = new FakeCloud()
  changed = []
  begin()
  await time.advance(0)
})

afterEach(async () => {
  stop.abort(new Error('the test is over'))
  await ended
  expect(time.pending).toBe(0)
})

it('what was proven gone is there when a later list shows it, and its machine is woken', async () => {
  const made = await make('default/a')
  await time.advance(15_000)
  cloud.invisible.add(made.id)
  const verdict = fleet.confirmGone(refOf(made), ctx())
  await time.advance(0)
  expect(await verdict).toMatchObject({ is: 'gone' })
  changed.length = 0
  cloud.invisible.clear()
  await time.advance(15_000)
  expect(fleet.look(refOf(made), true, ctx())).toMatchObject({ is: 'seen', instance: { id: made.id } })
  expect(changed).toContain(machineDigest('default/a'))
})

describe('pace', () => {
  it('lists at the poll interval while all is quiet', async () => {
    await make('default/a')
    await time.advance(15_000)
    expect(await listsIn(60_000)).toBe(4)
  })

  it('lists every 3 s while something is pending or going', async () => {
    const { id } = await make('default/a')
    cloud.set(id, 'terminating')
    await time.advance(15_000)
    expect(await listsIn(30_000)).toBe(10)
  })

  it('lists soon after an answer of our own, however quiet it was', async () => {
    const made = await make('default/a')
    await time.advance(1_000)
    fleet.note(made, ctx())
    expect(await listsIn(3_000)).toBe(1)
  })

  it('a storm of answers costs no more lists than any busy time, and its end is seen soon', async () => {
    const made = await make('default/a')
    await time.advance(15_000)
    const before = cloud.count('list')
    for (let at = 0; at < 30_000; at += 500) {
      fleet.note(made, ctx())
      await time.advance(500)
    }
    expect(cloud.count('list') - before).toBeLessThanOrEqual(11)
    const after = cloud.count('list')
    fleet.note(made, ctx())
    await time.advance(1_200)
    expect(cloud.count('list') - after).toBeGreaterThanOrEqual(1)
  })

  it('gives way when the cloud fails: 1, 2, 4 … 60 s, and what the cloud asks for', async () => {
    cloud.listFault = new CloudError('transient', { code: 'X', message: 'x' })
    await time.advance(15_000)
    expect(await listsIn(1_000)).toBe(1)
    expect(await listsIn(1_999)).toBe(0)
    expect(await listsIn(1)).toBe(1)
    cloud.listFault = new CloudError('throttled', { code: 'X', message: 'x', retryAfterMs: 40_000 })
    await time.advance(4_000)
    expect(await listsIn(39_999)).toBe(0)
    expect(await listsIn(1)).toBe(1)
  })

  it('does not list more often when more is wanted while the cloud fails', async () => {
    cloud.listFault = new CloudError('transient', { code: 'X', message: 'x' })
    await time.advance(15_000 + 1_000 + 2_000 + 4_000)
    const waiting = fleet.aliveOf('o', ctx()).catch(() => 'failed')
    fleet.hurry()
    expect(await listsIn(7_999)).toBe(0)
    expect(await listsIn(1)).toBe(1)
    expect(await waiting).toBe('failed')
    expect(fleet.trouble).toMatchObject({ code: 'X' })
  })
})

describe('changes', () => {
  it('wakes the machines whose instances came, changed or went, and no other', async () => {
    const a = await make('default/a')
    await make('default/b')
    await time.advance(15_000)
    expect(changed.toSorted()).toEqual(['default/a', 'default/b'].map(machineDigest).toSorted())
    changed.length = 0
    await time.advance(30_000)
    expect(changed).toEqual([])
    cloud.set(a.id, 'stopped')
    await time.advance(15_000)
    expect(changed).toEqual([machineDigest('default/a')])
    changed.length = 0
    cloud.instances.delete(a.id)
    await time.advance(15_000)
    expect(changed).toEqual([machineDigest('default/a')])
  })
})

describe('looking', () => {
  it('before the first list nothing means anything', () => {
    const young = new Fleet({ scope, instances: cloud, pollIntervalMs: 15_000, onChange: () => {} })
    expect(young.look({ id: 'i-1', tag: nobodys }, true, ctx())).toEqual({ is: 'awaited' })
  })

  it('an instance that no list has shown yet is awaited, for as long as lists may lag', async () => {
    const look = () => fleet.look({ id: 'i-1', tag: nobodys }, false, ctx()).is
    expect(look()).toBe('awaited')
    await time.advance(visibilityGraceMs - 1)
    expect(look()).toBe('awaited')
    await time.advance(1)
    expect(look()).toBe('missing')
  })

  it('one that has served is missing at once', () => {
    expect(fleet.look({ id: 'i-1', tag: nobodys }, true, ctx()).is).toBe('missing')
  })

  it('an answer of our own counts until a list that began after it shows the instance', async () => {
    const made = await make('default/a')
    cloud.invisible.add(made.id)
    fleet.note(made, ctx())
    await time.advance(60_000)
    expect(fleet.look(refOf(made), false, ctx())).toEqual({ is: 'seen', instance: made })
    cloud.invisible.delete(made.id)
    cloud.set(made.id, 'stopped')
    await time.advance(3_000)
    expect(fleet.look(refOf(made), false, ctx())).toMatchObject({ is: 'seen', instance: { state: 'stopped' } })
  })

  it('finds by token where no id is known', async () => {
    const made = await make('default/a')
    await time.advance(15_000)
    expect(fleet.look({ tag: { ...nobodys, token: 'token-default/a' } }, false, ctx())).toMatchObject({
      is: 'seen',
      instance: { id: made.id },
    })
  })
})

describe('gone', () => {
  it('needs a direct look and a second list, and is remembered', async () => {
    const made = await make('default/a')
    await time.advance(15_000)
    cloud.instances.delete(made.id)
    await time.advance(15_000)
    const lists = cloud.count('list')
    const verdict = fleet.confirmGone(refOf(made), ctx())
    await time.advance(0)
    expect(await verdict).toMatchObject({ is: 'gone' })
    expect(cloud.count('list')).toBe(lists + 1)
    expect(fleet.look(refOf(made), true, ctx())).toMatchObject({ is: 'gone' })
  })

  it('is what it was when the reads began, however late their answers are looked at', async () => {
    const made = await make('default/a')
    await time.advance(15_000)
    cloud.instances.delete(made.id)
    await time.advance(15_000)
    const asOf = time.monotonic()
    const find = cloud.find.bind(cloud)
    cloud.find = async (which, own) => {
      await time.sleep(40_000, own.signal)
      return find(which, own)
    }
    const verdict = fleet.confirmGone(refOf(made), ctx())
    await time.advance(40_000)
    expect(await verdict).toEqual({ is: 'gone', asOf })
    await time.advance(60_000)
    expect(fleet.look(refOf(made), true, ctx())).toEqual({ is: 'gone', asOf })
  })

  it('while reads are late, nothing is gone that is young enough to be hidden by them all', async () => {
    const late = await make('default/late')
    cloud.invisible.add(late.id)
    fleet.note(late, ctx())
    await time.advance(3_000)
    cloud.invisible.clear()
    const made = await make('default/a')
    await time.advance(15_000)
    cloud.instances.delete(made.id)
    await time.advance(15_000)
    const finds = cloud.count('find')
    expect(await fleet.confirmGone(refOf(made), ctx())).toEqual({ is: 'missing' })
    expect(cloud.count('find'), 'nobody asks in vain').toBe(finds)
    await time.advance(staleReadMs)
    const verdict = fleet.confirmGone(refOf(made), ctx())
    await time.advance(0)
    expect(await verdict).toMatchObject({ is: 'gone' })
  })

  it('what was said to be gone and is there shows that reads are late', async () => {
    const made = await make('default/a')
    await time.advance(15_000)
    cloud.invisible.add(made.id)
    const verdict = fleet.confirmGone(refOf(made), ctx())
    await time.advance(0)
    expect(await verdict).toMatchObject({ is: 'gone' })
    cloud.invisible.clear()
    const other = await make('default/b')
    await time.advance(15_000)
    cloud.instances.delete(other.id)
    await time.advance(15_000)
    expect(await fleet.confirmGone(refOf(other), ctx())).toEqual({ is: 'missing' })
  })

  it('two hundred that ask at once share one list', async () => {
    const many = await Promise.all(Array.from({ length: 200 }, (_, i) => make(`default/${i}`)))
    await time.advance(15_000)
    cloud.instances.clear()
    await time.advance(15_000)
    const lists = cloud.count('list')
    const verdicts = Promise.all(many.map((made) => fleet.confirmGone(refOf(made), ctx())))
    await time.advance(0)
    expect((await verdicts).every(({ is }) => is === 'gone')).toBe(true)
    expect(cloud.count('list')).toBe(lists + 1)
  })

  it('a caller who gives up does not wait for the list; the others do', async () => {
    const made = await make('default/a')
    await time.advance(15_000)
    cloud.listFault = new CloudError('throttled', { code: 'X', message: 'x', retryAfterMs: 60_000 })
    await time.advance(15_000)
    const [caller, reason] = [new AbortController(), new Error('the pass is over')]
    const asked = fleet.confirmGone({ ...refOf(made), id: 'i-none' }, { ...ctx(), signal: caller.signal })
    const others = fleet.aliveOf('o', ctx())
    await time.advance(0)
    caller.abort(reason)
    await expect(asked).rejects.toBe(reason)
    cloud.listFault = undefined
    await time.advance(60_000)
    expect(await others).toHaveLength(1)
  })

  it('a partial list is no list: nothing is gone by it, nobody is woken', async () => {
    const made = await make('default/a')
    await time.advance(15_000)
    changed.length = 0
    cloud.list = async function* (): AsyncIterable<InstancePage> {
      yield { items: [], complete: false }
    }
    await time.advance(60_000)
    expect(changed).toEqual([])
    expect(fleet.look(refOf(made), true, ctx()).is).toBe('seen')
    expect(fleet.trouble?.code).toBe('PartialList')
  })
})

describe('a list that does not speak of a zone', () => {
  const [silent, other] = ['us-east-1a', 'us-east-1b']
  const refIn = (zone: string, instance: Instance) => ({ ...refOf(instance), zone })
  const lookAt = (instance: Instance, zone = instance.zone) => fleet.look(refIn(zone, instance), true, ctx())
  let quiet: Instance
  let near: Instance
  beforeEach(async () => {
    quiet = await make('default/quiet')
    near = await make('default/near')
    cloud.set(near.id, 'running', { zone: other })
    near = cloud.instances.get(near.id) ?? near
    await time.advance(15_000)
    changed.length = 0
    cloud.silentZones.add(silent)
  })

  it('tells of all others as ever, at the usual pace', async () => {
    cloud.set(near.id, 'stopped')
    await time.advance(15_000)
    expect(changed).toEqual([machineDigest('default/near')])
    expect(lookAt(near)).toMatchObject({ is: 'seen', instance: { state: 'stopped' } })
    cloud.instances.delete(near.id)
    await time.advance(15_000)
    const verdict = fleet.confirmGone(refIn(other, near), ctx())
    await time.advance(0)
    expect(await verdict).toMatchObject({ is: 'gone' })
    expect(fleet.trouble).toMatchObject({ code: 'PartialList', message: expect.stringContaining(silent) as string })
  })

  it('says nothing of what is there: it stays as it was last seen, and wakes nobody until it is seen again', async () => {
    cloud.set(quiet.id, 'stopped')
    await time.advance(600_000)
    expect(changed).toEqual([])
    expect(lookAt(quiet)).toMatchObject({ is: 'seen', instance: { state: 'running' } })
    cloud.silentZones.clear()
    await time.advance(15_000)
    expect(changed).toEqual([machineDigest('default/quiet')])
    expect(lookAt(quiet)).toMatchObject({ is: 'seen', instance: { state: 'stopped' } })
    expect(fleet.trouble).toBeUndefined()
  })

  it('makes nothing missing or gone that may be there: neither in it nor where the zone is not known', async () => {
    await time.advance(15_000)
    const lost = { ...quiet, id: 'i-lost' }
    expect(lookAt(lost)).toEqual({ is: 'awaited' })
    expect(fleet.look(refOf(lost), true, ctx())).toEqual({ is: 'awaited' })
    expect(lookAt(lost, other)).toEqual({ is: 'missing' })
    const asked = [refIn(silent, lost), refOf(lost)].map((which) => fleet.confirmGone(which, ctx()))
    const verdicts = Promise.allSettled(asked)
    await time.advance(0)
    for (const verdict of await verdicts) expect(verdict).toMatchObject({ reason: { code: 'PartialList' } })
    cloud.silentZones.clear()
    await time.advance(15_000)
    expect(lookAt(lost)).toEqual({ is: 'missing' })
  })

  it('is no complete list for those who need one', async () => {
    const alive = fleet.aliveOf('o', ctx()).catch((thrown: unknown) => thrown)
    await time.advance(0)
    expect(await alive).toMatchObject({ code: 'PartialList' })
  })

  it('keeps an answer of our own from there until the zone speaks again', async () => {
    const young = await make('default/young')
    fleet.note(young, ctx())
    await time.advance(10 * visibilityGraceMs)
    expect(lookAt(young)).toEqual({ is: 'seen', instance: young })
    cloud.silentZones.clear()
    cloud.set(young.id, 'stopped')
    await time.advance(15_000)
    expect(lookAt(young)).toMatchObject({ is: 'seen', instance: { state: 'stopped' } })
  })

  it('is no first list, though what it shows is seen', async () => {
    stop.abort(new Error('killed'))
    await ended
    stop = new AbortController()
    begin()
    await time.advance(0)
    expect(fleet.hasSynced).toBe(false)
    expect(lookAt(near)).toMatchObject({ is: 'seen' })
    expect(lookAt(quiet)).toEqual({ is: 'awaited' })
    cloud.silentZones.clear()
    await time.advance(15_000)
    expect(fleet.hasSynced).toBe(true)
  })
})
