import { untilAtRest } from '../ending.ts'
import type { World } from '../world.ts'

const more = 2

/** At rest every MachineSet has its share on demand, and still when it gets more Machines. */
export async function growShare(world: World): Promise<void> {
  const { core, shareLaw } = world
  await untilAtRest(world)
  shareLaw.judge()
  const [set, ...others] = core.sets.sets()
  if (!set || others.length > 0) return
  const before = core.sets.counted(set)
  core.sets.scale(Math.max(before.length + more, shareLaw.wholeSizeOf(set)))
  await untilAtRest(world)
  shareLaw.judgeGrowth(set, before)
  shareLaw.judge()
  await world.pass(0)
}
