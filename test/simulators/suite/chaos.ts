import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import type { ChaosKind } from '../kit/faults/chaos.ts'
import type { Refusal, SimulatedCloudRig } from './rig.ts'
import { creationsOf, endOf, statesOf } from './steps.ts'

/** Faults at random, in the cloud's own words. */
export function chaosCases({ start, words }: SimulatedCloudRig): void {
  const { status, code } = words.throttled

  test.each<[ChaosKind, readonly string[], number]>([
    ['throttle', [`${status} ${code}`], 0],
    ['server-error', words.serverErrors, 0],
    ['error-after-commit', words.serverErrors, 30],
  ])("%s: the cloud's own refusals, each of them sometime, and whether the call was done", async (kind, said, done) => {
    await using rig = await start()
    await rig.prepare(30)
    rig.simulator.control.chaos({ rate: 1, kinds: [kind] })
    const refusals: Refusal[] = []
    for (let call = 0; call < 30; call++) refusals.push(await rig.refusalOf(rig.create()))
    expect(new Set(refusals.map((one) => `${one.status} ${one.code}`))).toEqual(new Set(said))
    expect(rig.made()).toHaveLength(done)
    expect(rig.simulator.control.counts().lost, 'done, and its caller was told otherwise').toBe(done)
  })

  test.each<[ChaosKind, number]>([
    ['reset-before', 0],
    ['answer-lost', 1],
  ])('%s: the caller is cut off, and %s was made', async (kind, done) => {
    await using rig = await start()
    await rig.prepare(1)
    rig.simulator.control.chaos({ rate: 1, kinds: [kind] })
    expect(await endOf(rig.create())).toMatch(words.cutOff)
    expect(rig.made()).toHaveLength(done)
  })

  test('slow: done, and answered when its caller may have gone', async () => {
    await using rig = await start()
    await rig.prepare(1)
    await rig.control('chaos', { rate: 1, kinds: 'slow', slow: '45s' })
    const call = rig.create()
    await until(() => rig.clock.pending === 2, 'the boot and the answer to wait')
    expect(rig.made()).toHaveLength(1)
    await rig.clock.advance(45_000)
    await call
  })

  /** What becomes of 24 calls, one after another. */
  async function fates(seed: number): Promise<string[]> {
    await using rig = await start()
    const kinds = ['throttle', 'server-error', 'reset-before', 'answer-lost'] as const
    rig.simulator.control.chaos({ rate: 0.5, seed, kinds })
    const seen: string[] = []
    for (let call = 0; call < 24; call++) seen.push(await endOf(statesOf(rig)))
    return seen
  }

  test('the same seed brings the same troubles over the wire, another seed others', async () => {
    const [first, again, other] = [await fates(1), await fates(1), await fates(2)]
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    expect(first).toContain('answered')
    expect(new Set(first).size).toBeGreaterThan(3)
  })

  test('calls are recorded whatever hits them, and when the faults are cleared all is well', async () => {
    await using rig = await start()
    await rig.prepare(2)
    rig.simulator.control.resetCounts()
    await rig.control('chaos', { rate: 1, kinds: 'reset-before', seed: 9 })
    expect(await endOf(rig.create())).toMatch(words.cutOff)
    await rig.control('clear-faults', {})
    await rig.create()
    expect(rig.simulator.control.counts()).toMatchObject({ calls: 2, codes: { OK: 1 } })
    expect(creationsOf(rig, words).map(({ answer }) => answer !== undefined)).toEqual([false, true])
    expect(rig.made()).toHaveLength(1)
  })
}

/** Answers that take their time. */
export function latencyCases({ start, words }: SimulatedCloudRig): void {
  test('an answer takes its time on its way; what it tells of is done already', async () => {
    await using rig = await start()
    await rig.control('latency', { min: '200ms', action: words.create })
    let isAnswered = false
    const call = rig.create().then(() => (isAnswered = true))
    await until(() => rig.clock.pending === 2, 'the boot and the answer to wait')
    expect(rig.made()).toHaveLength(1)
    await rig.clock.advance(199)
    await rig.page()
    expect(isAnswered).toBe(false)
    await rig.clock.advance(1)
    await call
  })

  test('over HTTP, until the faults are cleared', async () => {
    await using rig = await start()
    await rig.control('latency', { min: '100ms', max: '1s', seed: 4 })
    const slow = rig.page()
    await until(() => rig.clock.pending === 1, 'the answer to wait')
    await rig.control('clear-faults', {})
    const quick = await rig.page()
    expect(rig.clock.pending).toBe(1)
    await rig.clock.advance(1000)
    expect(await slow).toEqual(quick)
  })

  test('a simulator that ends does not wait for its answers', async () => {
    const rig = await start()
    rig.simulator.control.latency({ minMs: 60_000 })
    const ending = endOf(rig.page())
    await until(() => rig.clock.pending === 1, 'the answer to wait')
    await rig[Symbol.asyncDispose]()
    expect(await ending).toMatch(words.cutOff)
    expect(rig.clock.pending).toBe(0)
  })
}
