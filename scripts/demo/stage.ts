import { existsSync } from 'node:fs'
import { interruptionPolicies, spotKind } from '../../api/kinds.ts'
import type { Resource } from '../../api/meta.ts'
import type { LabCloud } from '../../test/lab/clouds/cloud.ts'
import { labCloudNames } from '../../test/lab/clouds/start.ts'
import { startLab, type Lab } from '../../test/lab/lab.ts'
import { getParts } from '../../test/lab/parts/parts.ts'
import { spotClusterManifests } from '../../test/lab/spot-cluster.ts'
import type { Manifest } from '../../test/lab/objects.ts'
import { startProgress } from '../progress.mjs'
import { noticeOfGce } from './notices.ts'
import { listed } from './words.ts'

/** A person ended the demo. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** One cloud with its objects from examples/. */
export interface Site {
  readonly cloud: LabCloud
  /** The kind of its machines. */
  readonly machines: Resource
  /** The name of its Cluster. */
  readonly cluster: string
  /** The name of its MachineDeployment. */
  readonly deployment: string
}

/** What a play gets at its start. */
export interface Stage {
  readonly lab: Lab
  readonly sites: readonly Site[]
  readonly namespace: string
  /** The number of Machines of each MachineDeployment. */
  readonly workers: number
  /** The objects of examples/ as they were applied. */
  readonly applied: readonly Manifest[]
  /** The time between two lists of the manager. */
  readonly pollMs: number
  /** Fires when the demo is to end. */
  readonly signal: AbortSignal
}

/** Returns an exit code. */
export type Play = (stage: Stage) => Promise<number>

interface MachineTemplate extends Manifest {
  readonly spec: { readonly template: { readonly spec: object } }
}

const namespace = 'default'
const workers = 2
/** The default of 15 s is long for a spectator. This is not faster than the manager lists when it is busy. */
const pollMs = 3_000

/** Starts everything, runs the play, and stops everything, whatever happens. */
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
  const example = await spotClusterManifests(lab, { name: cluster, namespace, workers, cloud })
  return lab.apply([...example.map(withNotice), replacedAtOnce(cluster)])
}

function withNotice(manifest: Manifest): Manifest {
  if (manifest.kind !== 'GCPMachineTemplate') return manifest
  const { template } = (manifest as MachineTemplate).spec
  return Object.assign(manifest, { spec: { template: { ...template, spec: { ...template.spec, ...noticeOfGce } } } })
}

/**
 * A Machine that is taken before it ran for ten minutes is replaced after a pause, and a refusal pauses its offering.
 * The demo does not wait for the first, and not long for the second.
 */
function replacedAtOnce(clusterName: string): Manifest {
  const { group, version, kind } = interruptionPolicies
  const metadata = { name: clusterName, namespace }
  const policy = {
    metadata,
    spec: { clusterName, minHealthySeconds: 0, backoff: { initialSeconds: 2, maxSeconds: 10 } },
  }
  return { apiVersion: `${group}/${version}`, kind, ...policy }
}

function siteOn(cloud: LabCloud): Site {
  const { name, prefix } = cloud
  return { cloud, machines: spotKind(`${prefix}Machine`), cluster: name, deployment: `${name}-spot` }
}

/** Says which parts are real. */
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
