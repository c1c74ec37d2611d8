import { expect, it } from 'vitest'
import { storyWithFallback, storyWithShare } from './story.ts'
import { areFewer, drawTheSame, numRuns, tell, timeoutMs } from './tell.ts'

/** Of attempts after a refusal, and of those with something left of one. */
const leastWentOn = 100
/** Of MachineSets whose share was judged, in each way. */
const leastShared = 50

drawTheSame()

it(
  'the same for machines with fallback, and no next token before the last is settled, and nothing left of a refusal',
  async () => {
    const { wentOn, left } = await tell(storyWithFallback, Math.ceil(numRuns / 4))
    if (areFewer) return
    expect(Math.min(wentOn, left)).toBeGreaterThanOrEqual(leastWentOn)
  },
  timeoutMs,
)

it(
  'the same with a share on demand, which a MachineSet has in the end, and keeps when it gets more Machines',
  async () => {
    const { shared, whole, grown } = await tell(storyWithShare, Math.ceil(numRuns / 8))
    if (areFewer) return
    expect(Math.min(shared, whole, grown)).toBeGreaterThanOrEqual(leastShared)
  },
  timeoutMs,
)
