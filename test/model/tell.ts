import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, expect, vi } from 'vitest'
import { live, noTally, told, type Story, type Tally } from './story.ts'

/**
 * MODEL_SEED and MODEL_PATH repeat a failure; MODEL_STORIES sets the number of stories. Each story is some hundred
 * steps of faults, then rest, then an end. Without variables the stories are the same each time; MODEL_SEED=random
 * searches for new ones.
 */
const { MODEL_SEED, MODEL_PATH, MODEL_STORIES } = process.env
const usual = { numRuns: 1_150, seed: 2_065_908_589 }
const seed = MODEL_SEED === 'random' ? randomInt(2 ** 31) : Number(MODEL_SEED ?? usual.seed)

export const numRuns = Number(MODEL_STORIES ?? usual.numRuns)
/** Then they need not contain as much as the usual ones do. */
export const areFewer = MODEL_PATH !== undefined || numRuns < usual.numRuns
/** More stories than usual have more time. */
export const timeoutMs = 900_000 * Math.max(1, numRuns / usual.numRuns)

/** Pauses are drawn from it, and the same seed has to tell the same story. */
export function drawTheSame(): void {
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
}

/** Fails with the story that breaks a law. Returns what the stories contained. */
export async function tell(stories: fc.Arbitrary<Story>, count: number): Promise<Tally> {
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
