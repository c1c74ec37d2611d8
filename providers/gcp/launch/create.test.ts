import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GcpRig, home, openGcpRig, other } from '../../../test/support/clouds/gcp-rig.ts'
import type { CloudError } from '../../../api/cloud-error.ts'

let rig: GcpRig
beforeEach(async () => {
  rig = await openGcpRig()
})
afterEach(() => rig[Symbol.asyncDispose]())

describe('an insert that fails after it was accepted', () => {
  const shown = { state: 'terminated', started: false, failure: { kind: 'capacity' } }

  it('is seen by the first list after it, with what was to be bought', async () => {
    await rig.listed()
    rig.simulator.control.noCapacity()
    const made = await rig.create()
    expect((await rig.listed()).items).toMatchObject([{ id: made.id, state: 'pending', started: false }])
    await rig.settle()
    const { items, complete } = await rig.listed()
    expect(items).toMatchObject([{ ...shown, id: made.id, capacityType: 'Spot', instanceType: 'e2-standard-4' }])
    expect(items[0]?.failure?.code).toBe('ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS')
    expect(complete).toBe(true)
  })

  it('is found by a process that knows nothing of it, by its id and by its token alone', async () => {
    rig.simulator.control.noCapacity()
    const want = await rig.launch()
    const made = await rig.cloud().instances.create(want, rig.ctx())
    await rig.settle()
    rig.restart()
    expect(await rig.cloud().instances.find(rig.refTo(want, made.id), rig.ctx())).toMatchObject(shown)
    rig.restart()
    expect(await rig.cloud().instances.find(rig.refTo(want), rig.ctx())).toMatchObject({ ...shown, id: made.id })
    // And from then on lists show it too, so that nobody looks again.
    expect((await rig.listed()).items).toMatchObject([{ id: made.id }])
  })

  it('is what the same token is answered with for ever, and not a second insert', async () => {
    rig.simulator.control.noCapacity()
    const made = await rig.create()
    await rig.settle()
    rig.simulator.control.capacityBack()
    expect(await rig.create()).toMatchObject({ ...shown, id: made.id })
    rig.restart()
    expect(await rig.create()).toMatchObject({ ...shown, id: made.id })
    expect(rig.simulator.control.instances()).toEqual([])
  })

  it('because the quota is used up says so', async () => {
    rig.simulator.control.quota({ metric: 'PREEMPTIBLE_CPUS', limit: 2 })
    await rig.listed()
    await rig.create()
    await rig.settle()
    expect((await rig.listed()).items).toMatchObject([{ failure: { kind: 'quota', code: 'QUOTA_EXCEEDED' } }])
  })
})

describe('refused at once', () => {
  it.each([
    ['no capacity, as HTTP 503', () => rig.simulator.control.noCapacity({ synchronous: true }), 'capacity'],
    [
      'no quota, as HTTP 403',
      () => rig.simulator.control.quota({ metric: 'CPUS', limit: 1, synchronous: true }),
      'quota',
    ],
  ] as const)('%s', async (_, happens, kind) => {
    happens()
    await expect(rig.create()).rejects.toMatchObject({ kind })
  })

  it('too many calls, as HTTP 403: until the next minute begins', async () => {
    await rig.clock.advance(15_000)
    rig.simulator.control.failNext('instances.insert', 1, { code: 'rateLimitExceeded', message: 'Too many.' })
    const error = await rig.create().catch((thrown: CloudError) => thrown)
    expect(error).toMatchObject({ kind: 'throttled', code: 'rateLimitExceeded' })
    expect((error as CloudError).retryAfterMs).toBeGreaterThanOrEqual(45_000)
  })

  it('an image that is not there makes the request invalid, not missing', async () => {
    rig.simulator.control.failNext('instances.insert', 1, {
      code: 'notFound',
      message: "The resource 'projects/p/global/images/i' was not found",
    })
    await expect(rig.create()).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('images/i') as string,
    })
  })
})

describe('what GCE takes back before it is up', () => {
  const failure = {
    code: 'UNSUPPORTED_OPERATION',
    message: 'Instance failed to start due to preemption.',
    leaves: true,
  } as const

  it('is a lack of capacity, whatever GCE calls it, and what it leaves is told and ended', async () => {
    await rig.listed()
    rig.simulator.control.failNextOperation('insert', 1, failure)
    const made = await rig.create()
    await rig.settle()
    // The same request again: GCE answers with the operation that failed.
    expect(await rig.create()).toMatchObject({ id: made.id, state: 'pending' })
    expect((await rig.listed()).items).toMatchObject([{ id: made.id, state: 'stopped', failure: { kind: 'capacity' } }])
    const which = rig.refTo(await rig.launch(), made.id)
    expect(await rig.cloud().instances.terminate(which, rig.ctx())).toBe('going')
    await rig.settle()
    expect(rig.simulator.control.instances()).toEqual([])
  })
})

describe('one attempt is one instance', () => {
  it('also when its process is killed before the answer, no list shows it yet, and the specs send it elsewhere', async () => {
    const { at } = await rig.planned()
    rig.simulator.control.answerLostAfterCommit('instances.insert')
    rig.simulator.control.invisible(60_000)
    await expect(rig.create()).rejects.toMatchObject({ kind: 'ambiguous' })
    rig.restart()
    await rig.listed()
    expect(await rig.create({ zone: other, at })).toMatchObject({ zone: home })
    expect(rig.simulator.control.instances()).toHaveLength(1)
  })

  it('also when GCE has forgotten the request: the name is taken, and by ours', async () => {
    const made = await rig.create()
    await rig.clock.advance(48 * 3_600_000)
    expect(await rig.create()).toMatchObject({ id: made.id, state: 'running' })
    expect(rig.simulator.control.instances()).toHaveLength(1)
  })

  it('and none while a zone is silent in which a process before this one may have made it', async () => {
    await rig.create()
    rig.restart()
    rig.simulator.control.unreachable(home)
    await expect(rig.create({ zone: other })).rejects.toMatchObject({ kind: 'transient', code: 'ZoneSilent' })
    expect(rig.simulator.control.instances()).toHaveLength(1)
  })
})
