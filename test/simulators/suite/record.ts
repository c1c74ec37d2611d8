import { expect, test } from 'vitest'
import type { SimulatedCloudRig } from './rig.ts'
import { creationsOf, endOf } from './steps.ts'

/** What is remembered of calls. */
export function recordCases({ start, words }: SimulatedCloudRig): void {
  const { create, list } = words

  test('calls are counted by action and by code, refused and lost ones too', async () => {
    await using rig = await start()
    const { control } = rig.simulator
    const { code } = words.refused
    await rig.prepare(3)
    await rig.clock.advance(1000)
    control.resetCounts()
    const since = rig.clock.now()
    await rig.create()
    control.failNext(create, 1, { code, message: 'No.' })
    await rig.refusalOf(rig.create())
    control.answerLostAfterCommit(create)
    expect(await endOf(rig.create())).toMatch(words.cutOff)
    await rig.page()
    const counts = {
      since,
      calls: 4,
      lost: 1,
      codes: { OK: 3, [code]: 1 },
      actions: {
        [create]: { calls: 3, lost: 1, codes: { OK: 2, [code]: 1 } },
        [list]: { calls: 1, lost: 0, codes: { OK: 1 } },
      },
    }
    expect(control.counts()).toEqual(counts)
    expect((await rig.control('counts')).json).toEqual(counts)
    const done = { status: words.accepted }
    expect(creationsOf(rig, words).map(({ at, answer, lost }) => ({ at, answer, lost }))).toEqual([
      { at: since, answer: done, lost: false },
      { at: since, answer: words.refused, lost: false },
      { at: since, answer: done, lost: true },
    ])
  })

  test('and again from nothing; control calls are no calls', async () => {
    await using rig = await start()
    await rig.page()
    await rig.clock.advance(5000)
    await rig.control('reset-counts', {})
    const counts = { since: rig.clock.now(), calls: 0, lost: 0, codes: {}, actions: {} }
    expect((await rig.control('counts')).json).toEqual(counts)
  })

  test('a call that was under way at a reset belongs to the count before it', async () => {
    await using rig = await start()
    await rig.prepare(1)
    const { control } = rig.simulator
    control.resetCounts()
    const hold = control.hold(create, 'before')
    const call = rig.create()
    await hold.reached
    expect(control.counts().actions).toEqual({ [create]: { calls: 1, lost: 0, codes: {} } })
    control.resetCounts()
    hold.release()
    await call
    expect(control.counts()).toEqual({ since: rig.clock.now(), calls: 0, lost: 0, codes: {}, actions: {} })
  })

  test('only so many calls are remembered one by one, the last ones, and all are counted', async () => {
    await using rig = await start({ keptRequests: 10 })
    const { control } = rig.simulator
    const before = rig.simulator.requests.at(-1)?.number ?? 0
    control.resetCounts()
    for (let call = 0; call < 35; call++) await rig.page()
    const numbers = rig.simulator.requests.map(({ number }) => number)
    expect(numbers.length).toBeGreaterThanOrEqual(9)
    expect(numbers.length).toBeLessThanOrEqual(10)
    expect(numbers).toEqual(numbers.map((_, at) => before + 35 - numbers.length + 1 + at))
    expect(control.counts().calls).toBe(35)
  })

  test('none at all need be remembered', async () => {
    await using rig = await start({ keptRequests: 0 })
    rig.simulator.control.resetCounts()
    await rig.page()
    expect([rig.simulator.requests, rig.simulator.control.requests()]).toEqual([[], []])
    expect(rig.simulator.control.counts()).toMatchObject({ calls: 1, codes: { OK: 1 } })
  })

  test('user data is nowhere in the record of calls: only its hash, by which calls can be compared', async () => {
    await using rig = await start()
    const userData = 'kubeadm join --token abcdef.0123456789abcdef'
    const encoded = Buffer.from(userData).toString('base64')
    for (const name of ['first', 'second']) await rig.create({ name, userData })
    const creates = creationsOf(rig, words)
    expect(creates).toHaveLength(2)
    const shown = JSON.stringify(creates)
    expect([shown.includes(userData), shown.includes(encoded), shown.includes('abcdef.')]).toEqual([
      false,
      false,
      false,
    ])
    const [first, second] = creates.map(
      ({ params }) => /sha256:[0-9a-f]{64} of (44|60) characters/.exec(JSON.stringify(params))?.[0],
    )
    expect(first).toBeDefined()
    expect(second).toBe(first)
  })
}
