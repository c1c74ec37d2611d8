import { existsSync } from 'node:fs'
import { interruptionPolicies, spotKind } from '../../api/kinds.ts'
import type { Resource } from '../../api/meta.ts'
import type { LabCloud } from '../../test/lab/clouds/cloud.ts'
import { labCloudNames } from '../../test/lab/clouds/start.ts'
import { startLab, type Lab } from '../../test/lab/lab.ts'
import { getParts } from '../../test/lab/parts/parts.ts'
import { applySpotCluster } from '../../test/lab/spot-cluster.ts'
import type { Manifest } from '../../test/lab/objects.ts'
import { startProgress } from '../progress.mjs'
import { listed } from './words.ts'

/** Somebody ended the demo. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** One cloud, and what of examples/ stands on it. */
export interface Site {
  readonly cloud: LabCloud
  /** The kind of its machines. */
  readonly machines: Resource
  /** The name of its Cluster. */
  readonly cluster: string
  /** The name of its MachineDeployment. */
  readonly deployment: string
}

/** What a play finds when the curtain rises. */
export interface Stage {
  readonly lab: Lab
  readonly sites: readonly Site[]
  readonly namespace: string
  /** How many Machines each MachineDeployment has. */
  readonly workers: number
  /** The objects of examples/ as they were applied. */
  readonly applied: readonly Manifest[]
  /** How often the manager lists the instances. */
  readonly pollMs: number
  /** Fires when somebody wants the demo to end. */
  readonly signal: AbortSignal
}

/** Answers with an exit code. */
export type Play = (stage: Stage) => Promise<number>

const namespace = 'default'
const workers = 2
/** The default is 15 s: a watcher does not want to wait that long. No faster than the manager looks when it is busy. */
const pollMs = 3_000

/** Starts everything, has the play played, and takes everything down again whatever becomes of it. */
export async function openStage(play: Play, signal: AbortSignal): Promise<number> {
  const lab = await startOwnLab(signal)
  try {
    const sites = lab.clouds.map(siteOn)
    const names = listed(lab.clouds.map(({ prefix }) => prefix))
    const applied = await during(`Starting the manager and applying the examples of ${names}`, async () => {
      await lab.manager.start({ args: ['--poll-interval', `${pollMs / 1000}s`] })
      return (await Promise.all(sites.map((site) => applyOn(lab, site)))).flat()
    })
    return await play({ lab, sites, namespace, workers, applied, pollMs, signal })
  } finally {
    await takeDown(lab)
  }
}

async function applyOn(lab: Lab, { cloud, cluster }: Site): Promise<Manifest[]> {
  const applied = await applySpotCluster(lab, { name: cluster, namespace, workers, cloud })
  return [...applied, ...(await lab.apply([replacedAtOnce(cluster)]))]
}

/** A Machine that was taken before it served for ten minutes is replaced after a pause; nobody here waits for that. */
function replacedAtOnce(clusterName: string): Manifest {
  const { group, version, kind } = interruptionPolicies
  const metadata = { name: clusterName, namespace }
  const policy = { metadata, spec: { clusterName, minHealthySeconds: 0 } }
  return { apiVersion: `${group}/${version}`, kind, ...policy }
}

function siteOn(cloud: LabCloud): Site {
  const { name, prefix } = cloud
  return { cloud, machines: spotKind(`${prefix}Machine`), cluster: name, deployment: `${name}-spot` }
}

/** What is real here, for somebody who asks himself that. */
export function sceneOf({ sites, workers }: Pick<Stage, 'sites' | 'workers'>): string {
  const names = listed(sites.map(({ cloud }) => cloud.prefix))
  return `${names} are simulated; etcd, kube-apiserver, Cluster API and the manager are real. On each cloud a MachineDeployment of ${workers} spot workers:`
}

async function startOwnLab(signal: AbortSignal): Promise<Lab> {
  try {
    await getParts({ signal })
    const options = { clouds: labCloudNames, signal }
    return await during('Starting the lab', (say) => startLab({ ...options, say }))
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
