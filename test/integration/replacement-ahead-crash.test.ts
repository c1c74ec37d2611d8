import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Gates } from '../chaos/gates.ts'
import { interruptionPoints } from '../chaos/interruption-points.ts'
import type { Point } from '../chaos/point.ts'
import { AheadRig } from './rigs/ahead-rig.ts'
import { isAvailable } from './rigs/machine-watch.ts'

const [hook, deletion, detach, unhook] = ['hook', 'delete', 'detach', 'unhook'].map(pointCalled) as [
  Point,
  Point,
  Point,
  Point,
]

let rig: AheadRig
let gates: Gates
beforeAll(async () => {
  rig = await AheadRig.start(inject('cluster'))
  await rig.lab.manager.stop()
  gates = await Gates.start(rig.lab, [hook, deletion, detach, unhook])
  await startThroughGates()
  await rig.workers(1, { drain: 'WhenReplaced' })
})
afterAll(async () => {
  await rig.end()
  await gates[Symbol.asyncDispose]()
  await rig[Symbol.asyncDispose]()
})

const startThroughGates = () => rig.startManager(['--kubeconfig', gates.managerKubeconfig])

/** The fate of the write whose sender has died: done and not answered, never done, or done after the next start. */
const ends = [
  { point: hook, fate: 'done' },
  { point: deletion, fate: 'lost' },
  { point: deletion, fate: 'late' },
  { point: detach, fate: 'lost' },
  { point: detach, fate: 'late' },
  { point: unhook, fate: 'lost' },
].map((end) => ({ ...end, name: end.point.name }))

test.each(ends)('the manager dies at the $name, which is $fate: one replacement, and the Machine goes', async (end) => {
  const [old] = (await rig.all()).filter(isAvailable)
  if (!old) throw new Error('There is no Machine.')
  const { point, fate } = end
  const bought = rig.bought()
  const stopped = gates.hold(point, fate === 'done' ? 'after' : 'before')
  await rig.rehearse(old)
  await stopped.reached
  rig.lab.manager.kill('SIGKILL')
  await rig.lab.manager.exited
  if (fate !== 'late') stopped.drop()
  await startThroughGates()
  if (fate === 'late') {
    await rig.polls(1)
    stopped.release()
  }
  await rig.gone(old)
  const [next] = await rig.available(1)
  await rig.polls(2)
  expect((await rig.all()).map(({ metadata }) => metadata.uid)).toEqual([next?.metadata.uid])
  expect(rig.bought() - bought).toBe(1)
  expect(rig.alive()).toBe(1)
})

function pointCalled(name: string): Point {
  const found = interruptionPoints(undefined).find((point) => point.name === name)
  if (!found) throw new Error(`There is no point ${name}.`)
  return found
}
