import { expect, test } from 'vitest'
import { createMany, createRunning } from './steps.ts'
import type { SimulatedCloudRig } from './rig.ts'

/** What becomes of instances in every cloud. */
export function lifecycleCases({ start, words }: SimulatedCloudRig): void {
  const left = (remains: object) => Object.values(remains as Record<string, readonly string[]>).flat()

  test('an instance runs when the boot delay has passed, and not before', async () => {
    await using rig = await start({ bootMs: 30_000 })
    const id = await rig.create()
    expect(await rig.find(id)).toBe(words.made)
    await rig.clock.advance(29_999)
    expect(await rig.find(id)).not.toBe(words.running)
    await rig.clock.advance(1)
    expect(await rig.find(id)).toBe(words.running)
  })

  test('the cloud does not take back what is not spot', async () => {
    await using rig = await start()
    const id = await createRunning(rig, { market: 'on-demand' })
    expect(() => rig.simulator.control.interrupt(id)).toThrow(/^(Instance|Machine) .* is not a spot (instance|machine)/)
    expect(await rig.find(id)).toBe(words.running)
  })

  test('an interrupted instance has its notice', async () => {
    await using rig = await start()
    const id = await createRunning(rig)
    rig.simulator.control.interrupt(id, 30_000)
    expect(await rig.find(id)).toBe(words.noticed)
    await rig.clock.advance(29_999)
    expect(await rig.find(id)).toBe(words.noticed)
    await rig.clock.advance(1)
    expect(await rig.find(id)).toBe(words.interrupted[0])
    await rig.clock.advance(1000)
    expect(await rig.find(id)).toBe(words.interrupted[1])
  })

  test('a user may be faster than an interruption', async () => {
    await using rig = await start()
    const id = await createRunning(rig)
    rig.simulator.control.interrupt(id, 120_000)
    await rig.end(id)
    await rig.clock.advance(180_000)
    expect(await rig.find(id)).toBe(words.ended)
  })

  test('an instance that ends before it runs never runs, and nothing of it is left', async () => {
    await using rig = await start({ shutdownMs: 60_000 })
    const id = await rig.create()
    rig.simulator.control.terminate(id)
    await rig.clock.advance(10_000)
    expect(await rig.find(id)).toBe(words.ending)
    await rig.clock.advance(50_000)
    expect(await rig.find(id)).toBe(words.ended)
    expect(left(rig.simulator.control.remains())).toEqual([])
  })

  test.each(['running', 'stopped'])(
    'an instance that is %s can be ended, and to end it twice does no more',
    async (state) => {
      await using rig = await start()
      const id = await createRunning(rig)
      if (state === 'stopped') rig.simulator.control.stop(id)
      await rig.clock.advance(1000)
      await rig.end(id)
      expect(await rig.find(id)).toBe(words.ending)
      await rig.end(id)
      await rig.clock.advance(1000)
      expect(await rig.find(id)).toBe(words.ended)
      expect(left(rig.simulator.control.remains())).toEqual([])
    },
  )

  test('an instance that vanishes is in no list and under no id, and nothing of it is left', async () => {
    await using rig = await start()
    const id = await createRunning(rig, { name: 'gone' })
    rig.simulator.control.vanish(id)
    expect(await rig.find(id)).toBeUndefined()
    expect((await rig.page()).items).toEqual([])
    expect(rig.made()).toEqual([])
    expect(left(rig.simulator.control.remains())).toEqual([])
    // Where a name is taken by an instance, it is free again.
    if (words.repeated !== undefined) await rig.create({ name: 'gone' })
  })

  test('what is left: everything while the instance is there, nothing when it was ended', async () => {
    await using rig = await start()
    const ids = await createMany(rig, 2)
    await rig.clock.advance(2000)
    const remains = async () => (await rig.control('remains')).json as Record<string, readonly string[]>
    const { instances, disks } = await remains()
    expect([instances?.length, disks?.length]).toEqual([2, 2])
    for (const id of ids) await rig.end(id)
    await rig.clock.advance(2000)
    expect(left(await remains())).toEqual([])
  })

  test('a simulator that has ended leaves no timer behind', async () => {
    const rig = await start()
    await createMany(rig, 5)
    expect(rig.clock.pending).toBe(5)
    await rig[Symbol.asyncDispose]()
    expect(rig.clock.pending).toBe(0)
  })
}
