import { expect, it } from 'vitest'
import { story } from './story.ts'
import { areFewer, drawTheSame, numRuns, tell, timeoutMs } from './tell.ts'

const leastSteps = 100_000
/** Of Machines that went because of a notice, in each way. */
const leastNoticed = 100

drawTheSame()

it(
  'never two for a machine, none of a stranger, nothing left, and an end for every machine, whatever happens',
  async () => {
    const { steps, noticed, ahead, planned, hooked } = await tell(story, numRuns)
    if (areFewer) return
    expect(steps).toBeGreaterThanOrEqual(leastSteps)
    expect(Math.min(noticed, ahead, planned, hooked)).toBeGreaterThanOrEqual(leastNoticed)
  },
  timeoutMs,
)
