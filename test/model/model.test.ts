import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aWhile } from './broken/world.ts'
import { brokenWorlds } from './broken/worlds.ts'
import { knownStories } from './known-stories.ts'
import { knownShares } from './pools/known-shares.ts'
import { live, noTally, story, storyWithFallback, storyWithShare, told, type Story, type Tally } from './story.ts'

/**
 * MODEL_SEED and MODEL_PATH repeat a failure; MODEL_STORIES sets the number of stories. Each story is some hundred
 * steps of faults, then rest, then an end. Without variables the stories are the same each time; MODEL_SEED=random
 * searches for new ones.
 */
const { MODEL_SEED, MODEL_PATH, MODEL_STORIES } = process.env
const leastSteps = 100_000
/** Of Machines that went because of a notice, in each way. */
const leastNoticed = 100
/** Of attempts after a refusal, and of those with something left of one. */
const leastWentOn = 100
/** Of MachineSets whose share was judged, in each way. */
const leastShared = 50
const usual = { numRuns: 1_150, seed: 2_065_908_589 }
const numRuns = Number(MODEL_STORIES ?? usual.numRuns)
/** More stories than usual have more time. */
const timeoutMs = 300_000 * Math.max(1, numRuns / usual.numRuns)
const seed = MODEL_SEED === 'random' ? randomInt(2 ** 31) : Number(MODEL_SEED ?? usual.seed)

// Pauses are drawn from it, and the same seed has to tell the same story.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))

afterEach(() => void vi.restoreAllMocks())

it(
  'never two for a machine, none of a stranger, nothing left, and an end for every machine, whatever happens',
  async () => {
    const { steps, noticed, ahead, planned, hooked } = await tell(story, numRuns)
    if (MODEL_PATH || numRuns < usual.numRuns) return
    expect(steps).toBeGreaterThanOrEqual(leastSteps)
    expect(Math.min(noticed, ahead, planned, hooked)).toBeGreaterThanOrEqual(leastNoticed)
  },
  timeoutMs,
)

it(
  'the same for machines with fallback, and no next token before the last is settled, and nothing left of a refusal',
  async () => {
    const { wentOn, left } = await tell(storyWithFallback, Math.ceil(numRuns / 4))
    if (MODEL_PATH || numRuns < usual.numRuns) return
    expect(Math.min(wentOn, left)).toBeGreaterThanOrEqual(leastWentOn)
  },
  timeoutMs,
)

it(
  'the same with a share on demand, which a MachineSet has in the end, and keeps when it gets more Machines',
  async () => {
    const { shared, whole, grown } = await tell(storyWithShare, Math.ceil(numRuns / 8))
    if (MODEL_PATH || numRuns < usual.numRuns) return
    expect(Math.min(shared, whole, grown)).toBeGreaterThanOrEqual(leastShared)
  },
  timeoutMs,
)

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

async function tell(stories: fc.Arbitrary<Story>, count: number): Promise<Tally> {
  console.log(`${count} stories of seed ${seed}`)
  const begun = process.threadCpuUsage()
  const tally = { ...noTally }
  const details = await fc.check(
    fc.asyncProperty(stories, (told) => live(told, tally)),
    { numRuns: count, seed, ...(MODEL_PATH ? { path: MODEL_PATH } : {}) },
  )
  const { steps, calls, instances, noticed, ahead, planned, hooked, wentOn, left, shared, whole, grown } = tally
  const seconds = Math.round(process.threadCpuUsage(begun).user / 1e6)
  console.log(`Seed ${seed}: ${steps} steps, ${calls} calls, ${instances} instances, ${seconds} s of one core`)
  console.log(
    `Because of notices: ${noticed} Machines deleted, ${ahead} replaced ahead, ${planned} as planned, ${hooked} at our hook`,
  )
  console.log(`With fallback: ${wentOn} next attempts, ${left} of them with something left of the one before`)
  if (shared > 0)
    console.log(`With a share: ${shared} MachineSets, ${whole} whole, ${grown} with more Machines at the end`)
  expect(details.failed ? told(details) : 'no law was broken').toBe('no law was broken')
  return tally
}
