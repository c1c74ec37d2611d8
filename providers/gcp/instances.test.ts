import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GcpRig, home, numeric, openGcpRig, other, pathOf } from '../../test/support/clouds/gcp-rig.ts'
import { usualInsert } from '../../test/simulators/gcp/fixture.ts'

let rig: GcpRig
beforeEach(async () => {
  rig = await openGcpRig()
})
afterEach(() => rig[Symbol.asyncDispose]())

describe('a zone that does not answer', () => {
  it('makes the list incomplete, and proves nothing of what is in it', async () => {
    const made = await rig.create()
    const elsewhere = await rig.create({ zone: other, token: 'tokennumber2' })
    await rig.settle()
    await rig.listed()
    rig.simulator.control.unreachable(home)
    const { items, complete } = await rig.listed()
    expect(complete).toBe(false)
    expect(items).toMatchObject([{ id: elsewhere.id }])
    expect(rig.operationLists()).toBe(2)
    rig.simulator.control.reachable()
    expect((await rig.listed()).items.map(({ id }) => id).toSorted()).toEqual([made.id, elsewhere.id].toSorted())
  })

  it('of another region matters to nobody here', async () => {
    await rig.create()
    rig.simulator.control.unreachable('us-east1-b')
    expect(await rig.listed()).toMatchObject({ complete: true, items: [{ zone: home }] })
  })

  it('is unknown to a look, by id and by token', async () => {
    const want = await rig.launch()
    const made = await rig.cloud().instances.create(want, rig.ctx())
    rig.simulator.control.unreachable(home)
    expect(await rig.cloud().instances.find(rig.refTo(want, made.id), rig.ctx())).toBe('unknown')
    expect(await rig.cloud().instances.find(rig.refTo(want), rig.ctx())).toBe('unknown')
    const ended = rig.cloud().instances.terminate(rig.refTo(want, made.id), rig.ctx())
    await expect(ended, 'nobody may think that it is on its way out').rejects.toMatchObject({ code: 'ZoneSilent' })
  })
})

describe('ending', () => {
  it('shows as that in lists, so that nobody asks again', async () => {
    const want = await rig.launch()
    const made = await rig.cloud().instances.create(want, rig.ctx())
    await rig.settle()
    const which = rig.refTo(want, made.id)
    expect(await rig.cloud().instances.terminate(which, rig.ctx())).toBe('going')
    expect((await rig.listed()).items).toMatchObject([{ id: made.id, state: 'terminating' }])
    expect(await rig.cloud().instances.terminate(which, rig.ctx())).toBe('going')
    expect(rig.calls()['instances.delete']).toBe(1)
    await rig.settle()
    expect((await rig.listed()).items).toEqual([])
    expect(await rig.cloud().instances.terminate(which, rig.ctx())).toBe('gone')
  })

  it('by somebody else’s hand is said to be that', async () => {
    const made = await rig.create()
    await rig.settle()
    await rig.listed()
    await rig.somebody('DELETE', pathOf(made))
    expect((await rig.listed()).items).toMatchObject([
      { id: made.id, state: 'terminating', reason: { code: 'delete' } },
    ])
    await rig.settle()
    expect((await rig.listed()).items).toMatchObject([{ id: made.id, state: 'terminated', reason: { code: 'delete' } }])
  })

  it('goes by the id: what has its name by now is left alone', async () => {
    const want = await rig.launch()
    const made = await rig.cloud().instances.create(want, rig.ctx())
    await rig.settle()
    await rig.somebody('DELETE', pathOf(made))
    await rig.settle()
    await rig.somebody('POST', `zones/${home}/instances`, { ...usualInsert(rig.simulator), name: made.name })
    expect(await rig.cloud().instances.terminate(rig.refTo(want, made.id), rig.ctx())).toBe('gone')
    const [left] = rig.simulator.control.instances()
    expect(left).toMatchObject({ name: made.name, state: 'PROVISIONING' })
    expect(left?.id).not.toBe(numeric(made))
  })

  it('of an instance that GCE does not show yet waits until it does', async () => {
    const want = await rig.launch()
    const made = await rig.cloud().instances.create(want, rig.ctx())
    rig.simulator.control.invisible({ create: 20_000, writes: true })
    const ended = rig.cloud().instances.terminate(rig.refTo(want, made.id), rig.ctx())
    await expect(ended).rejects.toMatchObject({ kind: 'transient' })
    await rig.settle()
    expect(await rig.cloud().instances.terminate(rig.refTo(want, made.id), rig.ctx())).toBe('going')
    await rig.settle()
    expect(await rig.cloud().instances.terminate(rig.refTo(want, made.id), rig.ctx())).toBe('gone')
    expect(rig.simulator.control.remains()).toEqual({ instances: [], disks: [], addresses: [] })
  })
})

it('no list and no look asks for the metadata, where the bootstrap data stands', async () => {
  const want = await rig.launch()
  const made = await rig.cloud().instances.create(want, rig.ctx())
  await rig.listed()
  await rig.cloud().instances.find(rig.refTo(want, made.id), rig.ctx())
  await rig.cloud().instances.find(rig.refTo(want), rig.ctx())
  const asked = rig.simulator.control.requests().filter(({ action }) => action.startsWith('instances.'))
  for (const { params } of asked) {
    expect(params['fields']).toBeTruthy()
    expect(params['fields']).not.toContain('metadata')
  }
})
