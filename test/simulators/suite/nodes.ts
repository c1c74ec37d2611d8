import { expect, test } from 'vitest'
import { keptNodes } from '../kit/instances/kept-nodes.ts'
import type { SimulatedCloudRig } from './rig.ts'
import { createRunning, endOf } from './steps.ts'

/** When a machine's kubelet speaks, and what it says. */
export function nodeCases({ start, words }: SimulatedCloudRig): void {
  const name = words.worker

  test("a kubelet starts when the machine runs, and presents it as the cloud's controller would", async () => {
    const nodes = keptNodes()
    await using rig = await start({ nodes })
    const id = await rig.create({ name, size: 'gpu' })
    await rig.clock.advance(1999)
    expect(nodes.said).toEqual([])
    await rig.clock.advance(1)
    expect(nodes.machines).toEqual([rig.presented(id)])
  })

  test('without user data nothing makes the machine join a cluster', async () => {
    const nodes = keptNodes()
    await using rig = await start({ nodes })
    rig.simulator.control.stop(await createRunning(rig, { userData: undefined }))
    expect(nodes.said).toEqual([])
  })

  test.each(['stop', 'terminate', 'interrupt', 'vanish', ...words.ends])(
    '%s: the kubelet falls silent, and once',
    async (end) => {
      const nodes = keptNodes()
      await using rig = await start({ nodes })
      const id = await createRunning(rig)
      const [node = ''] = nodes.machines.map((machine) => machine.name)
      expect(await rig.control(end, { id })).toMatchObject({ status: 200 })
      const silent = [`started ${node}`, `stopped ${node}`]
      expect(nodes.said).toEqual(words.lingers.includes(end) ? silent.slice(0, 1) : silent)
      await rig.clock.advance(10_000)
      expect(nodes.said).toEqual(silent)
    },
  )

  test('an instance that ends before it runs, or never is, has no kubelet', async () => {
    const nodes = keptNodes()
    await using rig = await start({ nodes })
    rig.simulator.control.terminate(await rig.create())
    rig.simulator.control.noCapacity()
    await endOf(rig.create())
    await rig.clock.advance(10_000)
    expect(nodes.said).toEqual([])
  })
}

/** Where a stopped instance can be started. */
export function restartCases({ start }: SimulatedCloudRig): void {
  test('an instance that is started again has its kubelet again', async () => {
    const nodes = keptNodes()
    await using rig = await start({ nodes })
    const id = await createRunning(rig)
    rig.simulator.control.stop(id)
    await rig.clock.advance(1000)
    await rig.restart?.(id)
    await rig.clock.advance(2000)
    const [node = ''] = nodes.machines.map((machine) => machine.name)
    expect(nodes.said).toEqual([`started ${node}`, `stopped ${node}`, `started ${node}`])
  })
}
