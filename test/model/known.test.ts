import { expect, it } from 'vitest'
import { aWhile } from './broken/world.ts'
import { brokenWorlds } from './broken/worlds.ts'
import { knownStories } from './known-stories.ts'
import { knownShares } from './pools/known-shares.ts'
import { live, noTally } from './story.ts'
import { drawTheSame } from './tell.ts'

drawTheSame()

it.each(brokenWorlds)('the laws can be broken: $fault', async ({ says, befall, happenings = [aWhile], ...more }) => {
  const kind = { ...more, acceptsFirst: false, remembersForMs: 3_600_000, clustersToo: true }
  const tally = { ...noTally }
  await expect(live({ ...kind, happenings }, tally, befall)).rejects.toThrow(says)
})

it.each(knownStories)("another manager's instance is not ended: $name", async ({ happenings }) => {
  for (const remembersForMs of [3_600_000, 0]) {
    const told = { acceptsFirst: false, remembersForMs, clustersToo: true, happenings }
    await expect(live(told, { ...noTally })).resolves.toBeUndefined()
  }
})

it.each(knownShares)('a MachineSet has its share: $name', async ({ happenings, share }) => {
  const told = { acceptsFirst: false, remembersForMs: 3_600_000, clustersToo: true, hasFallback: true }
  const tally = { ...noTally }
  await expect(live({ ...told, happenings, share }, tally)).resolves.toBeUndefined()
  expect(tally.grown).toBe(1)
})
