import type { TestProject } from 'vitest/node'
import { startLab, type Lab } from '../lab.ts'
import { getKubeControllerParts } from '../parts/parts.ts'
import type { ClusterAccess } from './management-cluster.ts'
import { ownBundle } from './own-bundle.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The management cluster that all integration tests of a run share: `startLab({ cluster: inject('cluster') })`. */
    cluster: ClusterAccess
    /** The bundle of the manager: what is shipped, and quicker to start than the sources. */
    manager: string
  }
}

let lab: Lab | undefined
let bundle: Awaited<ReturnType<typeof ownBundle>> | undefined

/** One kube-apiserver and one Cluster API core for the whole run; each test has a namespace of its own in it. */
export async function setup(project: TestProject): Promise<void> {
  // A build within a test would take longer than a test may.
  await getKubeControllerParts()
  bundle = await ownBundle()
  project.provide('manager', bundle.entry)
  lab = await startLab()
  project.provide('cluster', lab.cluster)
}

export async function teardown(): Promise<void> {
  await lab?.stop()
  await bundle?.[Symbol.asyncDispose]()
}
