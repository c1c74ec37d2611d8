import { existsSync } from 'node:fs'
import { startLab, type Lab } from '../../test/lab/lab.ts'
import { getParts } from '../../test/lab/parts/parts.ts'
import { applySpotCluster } from '../../test/lab/spot-cluster.ts'
import type { Manifest } from '../../test/lab/objects.ts'
import { startProgress } from '../progress.mjs'

/** Somebody ended the demo. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** What a play finds when the curtain rises. */
export interface Stage {
  readonly lab: Lab
  readonly cluster: { readonly name: string; readonly namespace: string; readonly workers: number }
  /** The name of its MachineDeployment. */
  readonly deployment: string
  /** The objects of examples/ as they were applied. */
  readonly applied: readonly Manifest[]
  /** How often the manager lists the instances. */
  readonly pollMs: number
  /** Fires when somebody wants the demo to end. */
  readonly signal: AbortSignal
}

/** Answers with an exit code. */
export type Play = (stage: Stage) => Promise<number>

const cluster = { name: 'demo', namespace: 'default', workers: 3 }
/** The default is 15 s: a watcher does not want to wait that long. No faster than the manager looks when it is busy. */
const pollMs = 3_000
/**
 * Core looks at an object at most once a second unless it is told otherwise. That adds four seconds to the way from a
 * MachineDeployment to running Machines and changes nothing else.
 */
const unlimited = '--feature-gates=ReconcilerRateLimiting=false'

/** Starts everything, has the play played, and takes everything down again whatever becomes of it. */
export async function openStage(play: Play, signal: AbortSignal): Promise<number> {
  const lab = await startOwnLab(signal)
  try {
    const applied = await during('Starting the manager and applying examples/aws', async () => {
      await lab.manager.start({ args: ['--poll-interval', `${pollMs / 1000}s`] })
      return applySpotCluster(lab, cluster)
    })
    return await play({ lab, cluster, deployment: `${cluster.name}-spot`, applied, pollMs, signal })
  } finally {
    await takeDown(lab)
  }
}

async function startOwnLab(signal: AbortSignal): Promise<Lab> {
  try {
    await getParts({ signal })
    return await during('Starting the lab', (say) => startLab({ core: { args: [unlimited] }, say, signal }))
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}

async function during<T>(what: string, work: (say: (detail: string) => void) => Promise<T>): Promise<T> {
  const progress = startProgress(what)
  try {
    const result = await work((detail) => progress.say(detail))
    progress.done()
    return result
  } catch (error) {
    progress.failed()
    throw error
  }
}

async function takeDown(lab: Lab): Promise<void> {
  const { folder } = lab
  await during(`Ending the manager and the lab, and removing ${folder}`, () => lab.stop())
  if (existsSync(folder)) throw new Error(`${folder} could not be removed; remove it by hand.`)
}
