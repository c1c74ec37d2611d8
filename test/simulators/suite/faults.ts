import { expect, test } from 'vitest'
import type { SimulatedCloudRig } from './rig.ts'
import { createAgain, creationsOf, endOf, statesOf } from './steps.ts'

/** Faults that a test asks for, and calls that stand still. */
export function faultCases({ start, words }: SimulatedCloudRig): void {
  const { create } = words

  test('a failure is played back as often as was said, to this action only, and the call is not done', async () => {
    await using rig = await start()
    await rig.prepare(3)
    rig.simulator.control.failNext(create, 2, { code: words.refused.code, message: 'You may not.' })
    expect(await statesOf(rig)).toEqual([])
    for (let call = 0; call < 2; call++) {
      const refusal = await rig.refusalOf(rig.create())
      expect(refusal).toMatchObject(words.refused)
      expect(refusal.message).toContain('You may not.')
    }
    expect(rig.made()).toEqual([])
    await rig.create()
  })

  test('over HTTP, with a status of its own', async () => {
    await using rig = await start()
    await rig.prepare(2)
    await rig.control('fail-next', { action: create, code: words.refused.code, status: 418, message: 'No more.' })
    expect(await rig.refusalOf(rig.create())).toMatchObject({ code: words.refused.code, status: 418 })
    await rig.create()
  })

  test.each(Object.entries(words.statuses))('a refusal with the code %s has the status %s', async (code, status) => {
    await using rig = await start()
    await rig.prepare(1)
    await rig.control('fail-next', { action: create, code })
    expect(await rig.refusalOf(rig.create())).toMatchObject({ code, status })
  })

  test('an outage refuses everything until it ends', async () => {
    await using rig = await start()
    const { control } = rig.simulator
    const [status, code = ''] = words.serverErrors[0]?.split(' ') ?? []
    await rig.prepare(3)
    control.failNext('*', Infinity, { status: Number(status), code, message: 'Not now.' })
    for (const call of [() => rig.create(), () => rig.page(), () => rig.create()]) {
      expect(await rig.refusalOf(call())).toMatchObject({ code, status: Number(status) })
    }
    control.clearFaults()
    await rig.create()
    expect(await statesOf(rig)).toHaveLength(1)
  })

  test('an answer that is lost was done all the same, and a second call finds that', async () => {
    await using rig = await start()
    rig.simulator.control.answerLostAfterCommit(create)
    expect(await endOf(rig.create({ name: 'lost' }))).toMatch(words.cutOff)
    expect(creationsOf(rig, words)).toMatchObject([{ answer: { status: words.accepted }, lost: true }])
    const made = rig.made()
    expect(made).toHaveLength(1)
    expect(await createAgain(rig, 'lost')).toBe(words.repeated ?? made[0])
    expect((await rig.page()).items.map(({ id }) => id)).toEqual(made)
  })

  test('held before: nothing is done until it is released', async () => {
    await using rig = await start()
    const hold = rig.simulator.control.hold(create, 'before')
    const call = rig.create()
    expect((await hold.reached).action).toBe(create)
    expect(rig.made()).toEqual([])
    hold.release()
    await call
    expect(rig.made()).toHaveLength(1)
  })

  test.each([
    ['before', 'the call was lost on its way', 0],
    ['after', 'it is done, and its caller never knows', 1],
  ] as const)('held %s and dropped: %s', async (when, _, done) => {
    await using rig = await start()
    const hold = rig.simulator.control.hold(create, when)
    const ending = endOf(rig.create())
    await hold.reached
    expect(rig.made()).toHaveLength(done)
    hold.drop()
    expect(await ending).toMatch(words.cutOff)
    expect(rig.made()).toHaveLength(done)
    expect(creationsOf(rig, words).map(({ answer }) => answer !== undefined)).toEqual([done === 1])
  })

  test('held after: it is done, and its caller does not know yet', async () => {
    await using rig = await start()
    const hold = rig.simulator.control.hold(create, 'after')
    let isAnswered = false
    const call = rig.create().then(() => (isAnswered = true))
    await hold.reached
    expect(rig.made()).toHaveLength(1)
    await rig.page()
    expect(isAnswered).toBe(false)
    hold.release()
    await call
  })
}

/** Calls that stand still, and others meanwhile. */
export function holdCases({ start, words }: SimulatedCloudRig): void {
  const { create } = words

  test('a caller that died while its call was held: the call is done all the same when it goes on', async () => {
    await using rig = await start()
    const hold = rig.simulator.control.hold(create, 'before')
    const caller = new AbortController()
    const death = endOf(rig.create({ signal: caller.signal }))
    await hold.reached
    caller.abort()
    expect(await death).toMatch(/abort/i)
    hold.release()
    await expect.poll(() => rig.made()).toHaveLength(1)
  })

  test('one hold takes one call; others of the action pass meanwhile', async () => {
    await using rig = await start()
    const hold = rig.simulator.control.hold(create, 'before')
    const held = rig.create()
    await hold.reached
    await rig.create()
    expect(rig.made()).toHaveLength(1)
    hold.release()
    await held
    expect(rig.made()).toHaveLength(2)
  })

  test('a hold that is released before a call comes holds nothing', async () => {
    await using rig = await start()
    rig.simulator.control.hold(create, 'after').release()
    const id = await rig.create()
    expect(rig.made()).toEqual([id])
  })

  test('what is held goes on when the faults are cleared', async () => {
    await using rig = await start()
    const hold = rig.simulator.control.hold(create, 'before')
    const call = rig.create()
    await hold.reached
    await rig.control('clear-faults', {})
    const id = await call
    expect(rig.made()).toEqual([id])
  })

  test('what is held is cut off when the simulator ends', async () => {
    const rig = await start()
    const hold = rig.simulator.control.hold(create, 'before')
    const ending = endOf(rig.create())
    await hold.reached
    await rig[Symbol.asyncDispose]()
    expect(rig.made()).toEqual([])
    expect(await ending).toMatch(words.cutOff)
  })

  test('a hold over HTTP, for tests in another process', async () => {
    await using rig = await start()
    const { json } = await rig.control('hold', { action: create, when: 'after' })
    const { hold } = json as { hold: string }
    expect((await rig.control('holds')).json).toEqual([{ hold, action: create, when: 'after' }])
    const reached = rig.control('reached', { hold })
    const call = rig.create()
    expect((await reached).json).toMatchObject({ action: create, answer: { status: words.accepted } })
    await rig.control('release', { hold })
    await call
    expect((await rig.control('holds')).json).toEqual([])
    const { json: requests } = await rig.control('requests')
    expect((requests as { action: string }[]).filter(({ action }) => action === create)).toMatchObject([
      { lost: false },
    ])
  })
}
